package demosite

import (
	_ "embed"
	"strings"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
)

// wreck is a document that breaks every rule of its form: what stands in it
// as a link is a link, and nothing else.
//
//go:embed wreck.html
var wreck string

func plain(path, title, body string) page {
	return page{at: address{path: path}, title: title, body: article(title, body)}
}

// redirect answers 301 with the Location given, made absolute unless relative.
func redirect(path, location string, relative bool) page {
	p := page{at: address{path: path}, location: location, relative: relative}
	return p.excluded("redirect", true)
}

// plainPages are the pages outside the application: one for each habit of
// real sites that a crawler must know.
func plainPages() []page {
	about := plain("/about", "About the register",
		"<p id=\"history\">Begun on a rainy day. "+link("/about/print", "Print version")+"</p>\n")
	about.head = "<link rel=\"canonical\" href=\"{origin}/about\">\n"
	printed := plain("/about/print", "About the register, to print", "<p>Begun on a rainy day.</p>\n").excluded("canonical", true)
	printed.head = about.head
	drafts := plain("/drafts", "Drafts", "<p>Not for the index, but "+link("/drafts/fog-bell", "one draft is finished")+".</p>\n").
		excluded("noindex", true)
	drafts.head = "<meta name=\"robots\" content=\"noindex\">\n"
	tides := plain("/tide-tables", "Tide tables", "<p>No page links here; the sitemap does.</p>\n")
	tides.sitemapOnly = true
	shelf := plain("/library/", "The library", `<p>`+link("one", "Shelf one")+`, `+link("two", "shelf two")+`</p>
`)
	shelf.head = "<base href=\"/library/shelf/\">\n"
	broken := plain("/wreck", "A wrecked page", "")
	broken.raw = wreck
	return []page{
		about, printed, drafts,
		plain("/drafts/fog-bell", "The fog bell", "<p>A finished draft.</p>\n"),
		tides,
		shelf,
		plain("/library/shelf/one", "Shelf one", "<p>Pilots and almanacs.</p>\n"),
		plain("/library/shelf/two", "Shelf two", "<p>Novels about the sea.</p>\n"),
		broken,
		plain("/wreck/mast", "The mast", "<p>Found on the beach.</p>\n"),
		plain("/wreck/hull", "The hull", "<p>On the sand.</p>\n"),
		plain("/wreck/keel", "The keel", "<p>Never found.</p>\n"),
		plain("/ledger", "The ledger", "<p>Of interest to nobody.</p>\n").excluded("nofollow", false),
		plain("/private/wills", "Wills", "<p>Private.</p>\n").excluded("robots", false),
		redirect("/old-about", "about", true),
		redirect("/go/skerry", "/#!/light/grey-skerry", false),
	}
}

// scriptPages are plain pages in many scripts, some of them in other encodings
// than UTF-8, one declared in the header and one in the document.
func scriptPages() []page {
	pages := []page{
		plain("/cs/maják", "Maják", "<p>Nejjasnější světlo na pobřeží, které neexistuje.</p>\n").in("cs"),
		plain("/zh/灯塔", "灯塔", "<p>灯塔的光照亮了并不存在的海岸。</p>\n").in("zh"),
		plain("/fa/فانوس", "فانوس دریایی", "<p>نور فانوس دریایی بر ساحلی می\u200cتابد که نیست.</p>\n").in("fa"),
		plain("/ar/منارة", "المنارة", "<p>ضوء المنارة ينير ساحلا لا وجود له.</p>\n").in("ar"),
		plain("/el/φάρος", "Φάρος", "<p>Το φως του φάρου φωτίζει μια ακτή που δεν υπάρχει.</p>\n").in("el"),
		plain("/hi/दीपस्तंभ", "दीपस्तंभ", "<p>दीपस्तंभ की रोशनी उस तट पर पड़ती है जो है ही नहीं।</p>\n").in("hi"),
	}
	mayak := plain("/ru/mayak", "Маяк", "<p>Свет маяка падает на берег, которого нет. "+
		link("/ru/find?q=маяк", "Искать: маяк")+"</p>\n").in("ru")
	// In a windows-1251 document the browser sends the query in windows-1251
	// [WHATWG-URL §query state], so this is the address that its link names.
	found := plain("/ru/find", "Поиск: маяк", "<p>Найдена одна страница.</p>\n").in("ru")
	found.at.query = "q=%EC%E0%FF%EA"
	for _, p := range []*page{&mayak, &found} {
		p.encoding, p.mime = charmap.Windows1251, "text/html; charset=windows-1251"
	}
	todai := plain("/ja/todai", "灯台", "<p>灯台の光は、存在しない海岸を照らす。</p>\n").in("ja")
	todai.encoding, todai.metaCharset, todai.mime = japanese.ShiftJIS, "Shift_JIS", "text/html"
	pages = append(pages, mayak, todai)

	var b strings.Builder
	b.WriteString("<ul>\n")
	for _, p := range pages {
		b.WriteString("<li>" + link(p.at.path, p.title) + "</li>\n")
	}
	b.WriteString("</ul>\n")
	return append(append(pages, found), plain("/scripts", "The register in other scripts", b.String()))
}
