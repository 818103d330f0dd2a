package date

import "unicode"

// latin holds the base letters of U+00C0 to U+017F.
const latin = "aaaaaaaceeeeiiiidnooooo?ouuuuytsaaaaaaaceeeeiiiidnooooo?ouuuuyty" +
	"aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkkllllllllllnnnnnnnnnooooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs"

// fold returns the form of r under which words are looked up: lower case,
// without accents, and the same for letters that writers exchange. It returns
// 0 for marks that are left out of a word.
func fold(r rune) rune {
	switch {
	case r < 0x80:
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	case 0xC0 <= r && r < 0x180:
		return rune(latin[r-0xC0])
	case r < 0x370:
		return foldLatinRest(r)
	case r < 0x530:
		return foldGreekCyrillic(r)
	case r < 0x590:
		return unicode.ToLower(r)
	case r < 0x700:
		return foldArabic(r)
	case r < 0xE00:
		return foldIndic(r)
	case 0x1E00 <= r && r < 0x1F00:
		return foldVietnamese(r)
	case r == 0x200C || r == 0x200D:
		return 0
	case 0xFF21 <= r && r <= 0xFF3A:
		return r - 0xFF21 + 'a'
	case 0xFF41 <= r && r <= 0xFF5A:
		return r - 0xFF41 + 'a'
	}
	return r
}

func foldLatinRest(r rune) rune {
	switch r {
	case 0x1A0, 0x1A1:
		return 'o'
	case 0x1AF, 0x1B0:
		return 'u'
	case 0x218, 0x219:
		return 's'
	case 0x21A, 0x21B:
		return 't'
	}
	if 0x300 <= r {
		return 0
	}
	return unicode.ToLower(r)
}

func foldGreekCyrillic(r rune) rune {
	switch r {
	case 'Ά', 'ά':
		return 'α'
	case 'Έ', 'έ':
		return 'ε'
	case 'Ή', 'ή':
		return 'η'
	case 'Ί', 'ί', 'ϊ', 'ΐ', 'Ϊ':
		return 'ι'
	case 'Ό', 'ό':
		return 'ο'
	case 'Ύ', 'ύ', 'ϋ', 'ΰ', 'Ϋ':
		return 'υ'
	case 'Ώ', 'ώ':
		return 'ω'
	case 'ς':
		return 'σ'
	case 'Ё', 'ё':
		return 'е'
	case 'Й', 'й':
		return 'и'
	case 'Ї', 'ї':
		return 'і'
	case 'Ў', 'ў':
		return 'у'
	}
	if 0x410 <= r && r < 0x430 {
		return r + 0x20
	}
	return unicode.ToLower(r)
}

// foldArabic drops vowel marks and the tatweel, and takes the Persian letters
// for the Arabic ones that the same keyboards give.
func foldArabic(r rune) rune {
	switch r {
	case 'أ', 'إ', 'آ':
		return 'ا'
	case 'ى', 'ی':
		return 'ي'
	case 'ک':
		return 'ك'
	case 0x640:
		return 0
	}
	if 0x64B <= r && r <= 0x65F {
		return 0
	}
	return r
}

// foldIndic drops the nukta, which is written as a mark of its own or as part
// of its letter.
func foldIndic(r rune) rune {
	switch r {
	case 0x93C, 0x9BC, 0xA3C:
		return 0
	case 0x95E:
		return 0x92B
	case 0x9DC:
		return 0x9A1
	case 0x9DF:
		return 0x9AF
	case 0xA5E:
		return 0xA2B
	case 0xA59:
		return 0xA16
	}
	return r
}

func foldVietnamese(r rune) rune {
	switch {
	case r < 0x1EA0:
		return unicode.ToLower(r)
	case r < 0x1EB8:
		return 'a'
	case r < 0x1EC8:
		return 'e'
	case r < 0x1ECC:
		return 'i'
	case r < 0x1EE4:
		return 'o'
	case r < 0x1EF2:
		return 'u'
	}
	return 'y'
}
