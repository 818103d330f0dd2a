package htmldoc

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
)

// encoded returns s in the charset.
func encoded(tb testing.TB, label, s string) string {
	tb.Helper()
	e, _ := charset.Lookup(label)
	out, err := e.NewEncoder().String(s)
	if err != nil {
		tb.Fatalf("%q in %s: %v", s, label, err)
	}
	return out
}

func TestDecodeFindsTheCharset(t *testing.T) {
	const chinese, russian = `<a href="/新闻/桥">港口的新桥</a>`, `<a href="/мост">Новый мост откроют</a>`
	gbk := encoded(t, "gbk", chinese)
	for _, tc := range []struct {
		name, body, header, override string
		charset, want                string // want "" means that body comes back as it is
	}{
		{name: "ASCII", body: "<p>x", charset: "utf-8"},
		{name: "ASCII, declared", body: "<p>x", header: "text/html; charset=GB2312", charset: "gbk"},
		{name: "UTF-8 without a word", body: chinese, charset: "utf-8"},
		{name: "header", body: gbk, header: `text/html; charset="GBK"`, charset: "gbk", want: chinese},
		{name: "broken header", body: gbk, header: `text/html; charset=gbk; ;;==`, charset: "gbk", want: chinese},
		{name: "meta", body: "<meta charset=gbk>" + gbk, charset: "gbk", want: "<meta charset=gbk>" + chinese},
		{
			name: "http-equiv", body: `<meta content="text/html; charset = 'gb2312'" http-equiv=CONTENT-TYPE>` + gbk, charset: "gbk",
			want: `<meta content="text/html; charset = 'gb2312'" http-equiv=CONTENT-TYPE>` + chinese,
		},
		{name: "meta in a script", body: `<script>"<meta charset=gbk>"</script>` + chinese, charset: "utf-8"},
		{
			name: "override before all", body: "\xEF\xBB\xBF" + gbk, header: "text/html; charset=big5", override: "gbk", charset: "gbk",
			want: encodedBack(t, "gbk", "\xEF\xBB\xBF") + chinese,
		},
		{name: "override, meta stale after re-encoding", body: `<meta charset=gbk>` + russian, override: "UTF-8", charset: "utf-8"},
		{name: "unknown override", body: gbk, header: "text/html; charset=gbk", override: "nope", charset: "gbk", want: chinese},
		{name: "UTF-8 mark", body: "\xEF\xBB\xBF<p>ä", header: "text/html; charset=latin1", charset: "utf-8", want: "<p>ä"},
		{name: "UTF-16LE mark", body: "\xFF\xFE<\x00p\x00>\x00\x16\x04", charset: "utf-16le", want: "<p>Ж"},
		{name: "UTF-16BE mark", body: "\xFE\xFF\x00<\x00p\x00>\x04\x16", charset: "utf-16be", want: "<p>Ж"},
		{name: "UTF-16LE, no mark", body: "<\x00p\x00>\x00\x16\x04", charset: "utf-16le", want: "<p>Ж"},
		{name: "UTF-16 that is not", body: chinese, header: "text/html; charset=utf-16", charset: "utf-8"},
		{name: "UTF-16 by meta", body: `<meta charset=utf-16>ä`, charset: "utf-8"},

		// The five of faults.tsv X01.
		{name: "header gbk, body UTF-8", body: chinese, header: "text/html; charset=gbk", charset: "utf-8"},
		{
			name: "header utf-8, meta and body gbk", body: "<meta charset=gbk>" + gbk, header: "text/html; charset=utf-8", charset: "gbk",
			want: "<meta charset=gbk>" + chinese,
		},
		{name: "header utf-8, meta gbk, body UTF-8", body: "<meta charset=gbk>" + chinese, header: "text/html; charset=utf-8", charset: "utf-8"},
		{name: "unknown header", body: chinese, header: "text/html; charset=foo", charset: "utf-8"},
		{
			name: "unknown header, meta gbk", body: "<meta charset=gbk>" + gbk, header: "text/html; charset=foo", charset: "gbk",
			want: "<meta charset=gbk>" + chinese,
		},

		{name: "header latin1, body UTF-8", body: "<p>é", header: "text/html; charset=iso-8859-1", charset: "utf-8"},
		{name: "header latin1, more of it", body: "<p>été à", header: "text/html; charset=iso-8859-1", charset: "utf-8"},
		{
			name: "header wrong, meta right", body: `<meta charset=windows-1251>` + encoded(t, "windows-1251", russian), header: "text/html; charset=utf-8",
			charset: "windows-1251", want: `<meta charset=windows-1251>` + russian,
		},
		{name: "one broken byte in UTF-8", body: russian + "\xFF", header: "text/html; charset=utf-8", charset: "utf-8", want: russian + "\uFFFD"},
		{name: "cut inside a character", body: russian + "\xE6\x96", charset: "utf-8", header: "text/html; charset=utf-8", want: russian + "\uFFFD"},
		{name: "replacement charset", body: russian, header: "text/html; charset=iso-2022-kr", charset: "utf-8"},
		{name: "ISO-2022-JP", body: "\x1b$B%K%e!<%9\x1b(B", charset: "iso-2022-jp", want: "ニュース"},
		{name: "empty", charset: "utf-8"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			want := tc.want
			if want == "" {
				want = tc.body
			}
			got, name := Decode([]byte(tc.body), tc.header, tc.override)
			if string(got) != want || name != tc.charset {
				t.Errorf("Decode(%q, %q, %q) = %q, %q; want %q, %q", tc.body, tc.header, tc.override, got, name, want, tc.charset)
			}
		})
	}
}

// encodedBack returns what the bytes of s are in the charset.
func encodedBack(tb testing.TB, label, s string) string {
	tb.Helper()
	e, _ := charset.Lookup(label)
	out, err := e.NewDecoder().String(s)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

func TestDecodeGuessesWhatNobodyDeclares(t *testing.T) {
	for _, tc := range []struct{ charset, text string }{
		{"windows-1251", `<h1>Новости порта</h1><a href="/мост">Новый мост откроют в конце марта</a>`},
		{"koi8-r", `<h1>Новости порта</h1><a href="/мост">Новый мост откроют в конце марта</a>`},
		{"gbk", `<title>港口新闻</title><a href=1>新桥将在三月开通</a><p>这是我们的第一个消息，大家都可以来看`},
		{"big5", `<title>港口新聞</title><a href=1>新橋將在三月開通</a><p>這是我們的第一個消息，大家都可以來看`},
		{"shift_jis", `<title>港のお知らせ</title><a href=1>新しい橋が三月に開通します</a>`},
		{"euc-jp", `<title>港のお知らせ</title><a href=1>新しい橋が三月に開通します</a>`},
		{"euc-kr", `<title>항구 소식</title><a href=1>새 다리가 삼월에 열립니다</a>`},
		{"windows-1252", `<title>Nouvelles</title><a href=1>Le pont ouvrira dès l’été, à côté</a>`},
		{"windows-1252", `<title>Neues</title><a href=1>Die Brücke öffnet im März</a> – größer`},
		{"iso-8859-7", `<html lang=el><title>Νέα</title><a href=1>Η νέα γέφυρα ανοίγει τον Μάρτιο</a>`},
		{"windows-1255", `<html lang="he"><title>חדשות</title><a href=1>הגשר החדש ייפתח במרץ</a>`},
		{"windows-1254", `<html lang=tr-TR><title>Haberler</title><a href=1>Yeni köprü mart ayında açılıyor</a>`},
		{"windows-874", `<html lang=th><title>ข่าว</title><a href=1>สะพานใหม่จะเปิดในเดือนมีนาคม</a>`},
		{"iso-8859-2", `<html lang=hu><title>Hírek</title><a href=1>Az új híd márciusban nyílik, őszig</a>`},
	} {
		t.Run(tc.charset, func(t *testing.T) {
			got, name := Decode([]byte(encoded(t, tc.charset, tc.text)), "text/html", "")
			if string(got) != tc.text || name != tc.charset {
				t.Errorf("Decode(%s) = %q, %q; want %q", tc.charset, got, name, tc.text)
			}
		})
	}
}

func TestDecodeReplacesInvalidBytes(t *testing.T) {
	for _, tc := range []struct{ body, want string }{
		{"a\xffb", "a\uFFFDb"},
		{"a\x80\x80b", "a\uFFFD\uFFFDb"},
		{"\xe6\x96x", "\uFFFDx"},                     // a sequence that breaks off counts once
		{"\xf0\x9f\x98x", "\uFFFDx"},                 //
		{"\xf0\x9f\x98", "\uFFFD"},                   //
		{"\xe0\x80\x80", "\uFFFD\uFFFD\uFFFD"},       // overlong
		{"\xed\xa0\x80", "\uFFFD\uFFFD\uFFFD"},       // surrogate
		{"\xf5\x80", "\uFFFD\uFFFD"},                 // beyond U+10FFFF
		{"\xc3(\xe2\x82\xacé", "\uFFFD(\u20ACé"},     //
		{"\xf4\x8f\xbf\xbf\xfe", "\U0010FFFF\uFFFD"}, //
	} {
		if got := replaceInvalid([]byte(tc.body)); string(got) != tc.want {
			t.Errorf("replaceInvalid(%q) = %q, want %q", tc.body, got, tc.want)
		}
	}
}

func TestDecodeDoesNotCopyUTF8(t *testing.T) {
	body := []byte("<meta charset=utf-8><p>" + strings.Repeat("öffentlich ", 100))
	got, _ := Decode(body, "text/html; charset=utf-8", "")
	if &got[0] != &body[0] {
		t.Error("Decode copied a body of valid UTF-8")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("<meta charset=gbk>\xd0\xc2"), "text/html; charset=utf-8", "")
	f.Add([]byte("\xff\xfe<\x00p"), "", "utf-16be")
	f.Add([]byte("\x1b$B%K%e"), "text/html;charset=\"", "iso-2022-jp")
	f.Add([]byte("<html lang=ja>\x83\x6e\xf0\x9f\x98"), "", "")
	f.Fuzz(func(t *testing.T, body []byte, contentType, override string) {
		saved := bytes.Clone(body)
		doc, name := Decode(body, contentType, override)
		if !utf8.Valid(doc) {
			t.Errorf("Decode(%q, %q, %q) = %q, which is not UTF-8", body, contentType, override, doc)
		}
		if !KnownCharset(name) {
			t.Errorf("Decode(%q, %q, %q) names the charset %q, which is unknown", body, contentType, override, name)
		}
		if !bytes.Equal(body, saved) {
			t.Errorf("Decode changed its input %q to %q", saved, body)
		}
		if again, n := Decode(body, contentType, override); n != name || !bytes.Equal(again, doc) {
			t.Errorf("Decode(%q, %q, %q) differs the second time", body, contentType, override)
		}
		// What was decoded is UTF-8 and stays as it is.
		if again, n := Decode(doc, "text/html", "utf-8"); n != "utf-8" || len(again) < len(doc)-3 {
			t.Errorf("Decode(%q) as UTF-8 = %q, %q", doc, again, n)
		}
	})
}

// TestDecodeSeesThroughStaleDeclarations reads pages that were converted to
// UTF-8 after their <meta> was written.
func TestDecodeSeesThroughStaleDeclarations(t *testing.T) {
	for _, file := range corpusPages(t) {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if doc, name := Decode(body, "", ""); !isASCII(body) && (name != "utf-8" || len(doc) < len(body)-3) {
			t.Errorf("Decode(%s) = %d bytes in %s, want %d in utf-8", filepath.Base(file), len(doc), name, len(body))
		}
	}
}
