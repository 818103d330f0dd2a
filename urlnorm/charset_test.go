package urlnorm

import (
	"errors"
	"testing"
)

// charsetLabels are labels of encodings that x/text can write.
var charsetLabels = []string{
	"gbk", "gb2312", "gb18030", "big5", "big5-hkscs", "shift_jis", "sjis", "euc-jp", "iso-2022-jp", "euc-kr", "ks_c_5601-1987",
	"windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1254", "windows-1255", "windows-1256",
	"windows-1257", "windows-1258", "windows-874", "tis-620", "iso-8859-1", "iso-8859-2", "iso-8859-3", "iso-8859-4",
	"iso-8859-5", "iso-8859-6", "iso-8859-7", "iso-8859-8", "iso-8859-8-i", "iso-8859-10", "iso-8859-13", "iso-8859-14",
	"iso-8859-15", "iso-8859-16", "koi8-r", "koi8-u", "ibm866", "macintosh", "x-mac-cyrillic", "x-user-defined",
	"ibm437", "cp850", "ibm00858", "IBM862",
}

// TestQueryIsTheBytesOfThePage decodes every byte that a charset has over
// ASCII, one text at a time, and expects it back in the query.
func TestQueryIsTheBytesOfThePage(t *testing.T) {
	n := mustNew(t, Config{})
	for _, label := range charsetLabels {
		cs, err := CharsetByLabel(label)
		if err != nil || cs.enc == nil {
			t.Errorf("CharsetByLabel(%q) = %v, %v", label, cs.Name(), err)
			continue
		}
		for c := 0x80; c < 0x100; c++ {
			// As the lead byte of a pair, and alone.
			for _, raw := range []string{string([]byte{byte(c), 0xB1}), string([]byte{byte(c)})} {
				text, err := cs.enc.NewDecoder().String(raw)
				back, errBack := cs.enc.NewEncoder().String(text)
				if err != nil || errBack != nil || back != raw || text < "\u0080" {
					continue // not a text of this charset
				}
				want := "/?" + string(appendEncoded(nil, raw, inQuery))
				u, err := n.Resolve(nil, "http://h/?"+text, cs)
				if err != nil || u.Target() != want {
					t.Errorf("%s: Resolve(?%s) = %q, %v; want %q", label, text, u.Target(), err, want)
				}
			}
		}
	}
}

func TestCharsetOfQueries(t *testing.T) {
	for _, tc := range []struct{ label, query, want string }{
		{"gbk", "中文=1", "%D6%D0%CE%C4=1"},
		{"GB2312", "中", "%D6%D0"},
		{"big5", "中文", "%A4%A4%A4%E5"},
		{"shift_jis", "表", "%95\\"}, // the second byte is a backslash
		{"euc-jp", "日本", "%C6%FC%CB%DC"},
		{"iso-2022-jp", "a日本b", "a%1B$BF|K\\%1B(Bb"},
		{"iso-2022-jp", "ｱﾟ", "%1B$B%%22!,%1B(B"},
		{"euc-kr", "한글", "%C7%D1%B1%DB"},
		{"windows-1251", "Привет", "%CF%F0%E8%E2%E5%F2"},
		{"windows-1256", "سلام", "%D3%E1%C7%E3"},
		{"windows-1252", "é€中", "%E9%80%26%2320013%3B"},
		{"koi8-r", "Я", "%F1"},
		{"", "é", "%C3%A9"},
		{"utf-16le", "é", "%C3%A9"},
		{"replacement", "é", "%C3%A9"},
		{"ibm037", "é", "%C3%A9"},
		{" UTF8 ", "é", "%C3%A9"},
		{"windows-1251", "a&b=\xe9%E9", "a&b=%E9%E9"},
	} {
		u, err := Resolve("", "http://h/é?"+tc.query+"#!é", Options{Charset: tc.label})
		want := "http://h/%C3%A9?" + tc.want + "&_escaped_fragment_=%C3%A9"
		if err != nil || u.Fetch != want {
			t.Errorf("%s: Resolve(?%s) = %q, %v; want %q", tc.label, tc.query, u.Fetch, err, want)
		}
	}
	if cs, err := CharsetByLabel("no such"); !errors.Is(err, ErrSyntax) {
		t.Errorf("CharsetByLabel(no such) = %v, %v", cs.Name(), err)
	}
}
