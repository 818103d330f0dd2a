package pager

import "testing"

func TestRead(t *testing.T) {
	for _, tc := range []struct {
		text   string
		kind   kind
		number int32
		arrow  arrow
	}{
		{"12", kindNumber, 12, arrowNone},
		{"[3]", kindNumber, 3, arrowNone},
		{"1,097", kindNumber, 1097, arrowNone},
		{"1 204", kindNumber, 1204, arrowNone},
		{"Page 7", kindNumber, 7, arrowNone},
		{"Seite 2", kindNumber, 2, arrowNone},
		{"第5页", kindNumber, 5, arrowNone},
		{"３ページ", kindNumber, 3, arrowNone},
		{"٤", kindNumber, 4, arrowNone},
		{"১২", kindNumber, 12, arrowNone},
		{"#100", kindNone, -1, arrowNone},
		{"Page 1 of 7", kindPageOf, 1, arrowNone},
		{"Seite 1 von 573", kindPageOf, 1, arrowNone},
		{"Next »", kindNext, -1, arrowRight},
		{"« Précédent", kindPrev, -1, arrowLeft},
		{"NÄCHSTE SEITE", kindNext, -1, arrowNone},
		{"İleri", kindNext, -1, arrowNone},
		{"次のページへ", kindNext, -1, arrowNone},
		{"前の10件", kindPrev, -1, arrowNone},
		{"下一篇", kindNextItem, -1, arrowNone},
		{"Next article", kindNextItem, -1, arrowNone},
		{"Предыдущая запись", kindPrevItem, -1, arrowNone},
		{"← Older posts", kindOlder, -1, arrowLeft},
		{"Load more stories", kindMore, -1, arrowNone},
		{"View all", kindAll, -1, arrowNone},
		{"Articoli meno recenti", kindOlder, -1, arrowNone},
		{"Vanhemmat kommentit", kindOlder, -1, arrowNone},
		{"Järgmised >>", kindNext, -1, arrowRight},
		{"Алдыңғы", kindPrev, -1, arrowNone},
		{"అంతిమ", kindNone, -1, arrowNone},
		{"最古", kindLast, -1, arrowNone},
		{"Показати ще 60 товарів", kindMore, -1, arrowNone},
		{"Terug naar overzicht", kindAll, -1, arrowNone},
		{"Poprzednie zdjęcie", kindPrevItem, -1, arrowNone},
		{"Erste", kindFirst, -1, arrowNone},
		{"尾页", kindLast, -1, arrowNone},
		{">>|", kindArrow, -1, arrowFarRight},
		{"|<", kindArrow, -1, arrowFarLeft},
		{"…", kindNone, -1, arrowNone},
		{"", kindEmpty, -1, arrowNone},
		{"Q", kindLetter, -1, arrowNone},
		{"The next big thing in town is here", kindNone, -1, arrowNone},
		{"$19.99", kindNone, -1, arrowNone},
		{"§ 3", kindNone, -1, arrowNone},
		{"₺5", kindNone, -1, arrowNone},
		{"30件", kindNone, -1, arrowNone},
		{"20 par page", kindNone, -1, arrowNone},
		{"21-40件", kindPageOf, 21, arrowNone},
		{"第5話", kindNone, -1, arrowNone},
		{"次の話", kindNextItem, -1, arrowNone},
		{"האשכול הבא", kindNextItem, -1, arrowNone},
		{"Επόμ.", kindNext, -1, arrowNone},
	} {
		got := read(tc.text)
		if got.kind != tc.kind || got.number != tc.number || got.arrow != tc.arrow {
			t.Errorf("read(%q) = kind %d, number %d, arrow %d; want %d, %d, %d", tc.text, got.kind, got.number, got.arrow, tc.kind, tc.number, tc.arrow)
		}
	}
}

func TestReadTellsSectionsFromDirections(t *testing.T) {
	for text, want := range map[string]bool{
		"Newer posts": true, "Свежие записи": false, "Mais recentes": true, "Notícias recentes": false, "Новые →": true, "Nowsze wpisy": true,
	} {
		if r := read(text); r.kind != kindNewer || r.strong() != want {
			t.Errorf("read(%q) = kind %d, strong %v; want %d, %v", text, r.kind, r.strong(), kindNewer, want)
		}
	}
}

func TestMarkerBefore(t *testing.T) {
	for s, want := range map[string]marker{
		"/list?page=": markParam, "/list?round=": markSize, "/form/step": markSize, "/form/step/": markSize, "/post?post_id=": markSize, "/news/page": markPath, "/list?algus=": markOther,
	} {
		if got := markerBefore(s); got != want {
			t.Errorf("markerBefore(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestCompare(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		is   relation
		x, y int32
	}{
		{"/l?page=3", "/l?page=2", numbers, 3, 2},
		{"/l?page=21", "/l?page=2", numbers, 21, 2},
		{"/l?page=2&start=20", "/l?page=3&start=40", numbers, 2, 3},
		{"/2024/05/01", "/2023/04/02", unrelated, 0, 0},
		{"/l?page=2", "/l", extends, 2, -1},
		{"/l", "/l?page=2", extended, -1, 2},
		{"/l/page/2/", "/l/", extends, 2, -1},
		{"/l?page=2", "/l/", extends, 2, -1},
		{"/a-2.html", "/a.html", extends, 2, -1},
		{"/?cat=1&paged=5", "/?cat=1", extends, 5, -1},
		{"/l?ipp=20&page=4", "/l", extends, 4, -1},
		{"/a", "/a", same, 0, 0},
		{"/a", "/b", unrelated, 0, 0},
		{"/a/about", "/a/", unrelated, 0, 0},
	} {
		if got := compare(tc.a, tc.b); got.is != tc.is || got.a != tc.x || got.b != tc.y {
			t.Errorf("compare(%q, %q) = %+v; want relation %d with %d and %d", tc.a, tc.b, got, tc.is, tc.x, tc.y)
		}
	}
}

func TestTokensOf(t *testing.T) {
	for value, want := range map[string]tokenSet{
		"pageNav-jump--next":   1<<tokPage | 1<<tokNav | 1<<tokNext,
		"wp-pagenavi":          1 << tokPager,
		"nextPage":             1<<tokNext | 1<<tokPage,
		"fa-angle-double-left": 1<<tokArrow | 1<<tokFar | 1<<tokLeft,
		"not-selected":         0,
		"selected":             1 << tokCurrent,
		"x1 y2":                0,
	} {
		if got := tokensOf(value); got != want {
			t.Errorf("tokensOf(%q) = %b, want %b", value, got, want)
		}
	}
}

// TestLexicon holds that each word stands in the lexicon once, and is found.
func TestLexicon(t *testing.T) {
	seen := map[string]bool{}
	for _, group := range lexicon {
		for _, w := range group.words {
			if seen[w] {
				t.Errorf("%q has two senses", w)
			}
			seen[w] = true
			if got := senseOfWord([]byte(w)); got != group.is {
				t.Errorf("%q says %b, want %b", w, got, group.is)
			}
		}
	}
	for _, w := range []string{"nexte", "nevt", "cats", "q", "é", "internationalisation"} {
		if got := senseOfWord([]byte(w)); got != 0 {
			t.Errorf("%q says %b, want nothing", w, got)
		}
	}
}
