package htmldoc

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// sniff guesses the charset of a body that declares none and is not UTF-8,
// from its bytes and the language it states.
func sniff(body []byte, lang string) string {
	sample := body[:min(len(body), sampleSize)]
	usual := usualCharset(lang)
	if isMultiByte(usual) || lang == "" {
		if name := sniffMultiByte(sample, usual); name != "" {
			return name
		}
	}
	if usual == "windows-1251" || lang == "" {
		if name := sniffCyrillic(sample); name != "" {
			return name
		}
	}
	if usual != "" && !isMultiByte(usual) {
		return usual
	}
	return "windows-1252"
}

// usualCharset returns the legacy charset of pages in the language
// [WHATWG-HTML §13.2.3.2, table of suggested defaults], "" for an unknown one.
func usualCharset(lang string) string {
	lang = strings.ToLower(lang)
	if strings.HasPrefix(lang, "zh") {
		if strings.Contains(lang, "tw") || strings.Contains(lang, "hk") || strings.Contains(lang, "hant") {
			return "big5"
		}
		return "gbk"
	}
	primary, _, _ := strings.Cut(lang, "-")
	switch primary {
	case "":
		return ""
	case "ar", "fa", "ur":
		return "windows-1256"
	case "be", "bg", "kk", "ky", "mk", "ru", "sr", "tg", "tt", "uk":
		return "windows-1251"
	case "cs", "hr", "sk", "bs":
		return "windows-1250"
	case "hu", "pl", "sl", "ro":
		return "iso-8859-2"
	case "el":
		return "iso-8859-7"
	case "et", "lt", "lv":
		return "windows-1257"
	case "he", "iw":
		return "windows-1255"
	case "ja":
		return "shift_jis"
	case "ko":
		return "euc-kr"
	case "ku", "tr", "az":
		return "windows-1254"
	case "th":
		return "windows-874"
	case "vi":
		return "windows-1258"
	}
	return "windows-1252"
}

// sniffMultiByte returns the East Asian charset that the sample is in, "" if it
// is in none. A charset wins only if what it makes of the bytes looks like its
// language; the usual one is asked first and wins if it merely decodes.
func sniffMultiByte(sample []byte, usual string) string {
	if isMultiByte(usual) && usual != "shift_jis" && decodesCleanly(sample, usual) {
		return usual
	}
	for _, c := range []struct {
		name   string
		native func(rune) bool
		share  float64 // of the characters beyond ASCII
	}{
		{"euc-jp", isKana, 0.15},
		{"shift_jis", isKana, 0.15},
		{"euc-kr", isHangul, 0.85},
		{"gbk", isCommonHan, 0.12},
		{"big5", isCommonHan, 0.12},
	} {
		if decodesCleanly(sample, c.name) && nativeShare(sample, c.name, c.native) >= c.share {
			return c.name
		}
	}
	return ""
}

// nativeShare returns the share of native characters among the letters beyond
// ASCII in the sample.
func nativeShare(sample []byte, name string, native func(rune) bool) float64 {
	e, _ := lookup(name)
	doc, err := e.NewDecoder().Bytes(sample)
	if err != nil {
		return 0
	}
	letters, natives := 0, 0
	for _, r := range string(doc) {
		if r >= utf8.RuneSelf && (unicode.IsLetter(r) || r == utf8.RuneError) {
			letters++
			if native(r) {
				natives++
			}
		}
	}
	if letters == 0 {
		return 0
	}
	return float64(natives) / float64(letters)
}

// isKana leaves out the half-width forms: in Shift_JIS they are single
// bytes that any text in another charset seems to hold.
func isKana(r rune) bool { return 0x3041 <= r && r <= 0x30FE }

func isHangul(r rune) bool { return 0xAC00 <= r && r <= 0xD7A3 }

// commonHan are the characters that make up about a third of Chinese running
// text, in both scripts.
const commonHan = "的一是不了在人有我他这這个個们們中来來上大为為和国國地到以说說时時要就出会會可也你对對生能而子那得于於着著下自之年过過发發后後作里裡用道行所然家种種事成方多经經么麼去法学學如都同现現当當没沒动動面起看定天分还還进進好小部其些主样樣理心她本前开開但因只从從想实實日新闻聞页頁网網首最高文章更关關公司北京信息资資讯訊电電话話系我们联聯"

func isCommonHan(r rune) bool { return strings.ContainsRune(commonHan, r) }

// sniffCyrillic tells windows-1251 and KOI8-R by the six letters that make up
// nearly half of a Russian text (о е а и н т); no other language's bytes come
// near in either charset. It returns "" for neither.
func sniffCyrillic(sample []byte) string {
	high := 0
	for _, c := range sample {
		if c >= 0x80 {
			high++
		}
	}
	share := func(letters string) float64 {
		n := 0
		for i := range len(letters) {
			n += bytes.Count(sample, []byte{letters[i]})
		}
		return float64(n) / float64(high)
	}
	const least = 0.30
	switch {
	case high == 0:
		return ""
	case share("\xEE\xE5\xE0\xE8\xED\xF2") >= least:
		return "windows-1251"
	case share("\xCF\xC5\xC1\xC9\xCE\xD4") >= least:
		return "koi8-r"
	}
	return ""
}
