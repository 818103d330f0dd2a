package pager

import "strings"

// A relation says how one address differs from another.
type relation uint8

const (
	unrelated relation = iota
	same               // the same address
	numbers            // they differ in numbers only, in at most maxSlots places
	extends            // the first is the second with something inserted that holds a number
	extended           // the second is the first with something inserted that holds a number
)

// maxSlots is in how many places the numbers of two pages of one series may
// differ: page and offset, but not the parts of a date.
const maxSlots = 2

// A difference is what [compare] finds.
type difference struct {
	is    relation
	slots int // of numbers

	// a and b are the numbers that differ: of the first slot, or the one
	// inserted, with -1 for the address that has none.
	a, b int32
	// The number stands at [from:to) in the address that has one; in the first
	// if both have.
	from, to int
}

// compare returns how the address a differs from b.
func compare(a, b string) difference {
	p := 0
	for p < len(a) && p < len(b) && a[p] == b[p] {
		p++
	}
	if p == len(a) && p == len(b) {
		return difference{is: same}
	}
	if d, ok := compareNumbers(a, b, p); ok {
		return d
	}
	if d, ok := compareInserted(a, b, p); ok {
		d.is = extends
		return d
	}
	if d, ok := compareInserted(b, a, p); ok {
		d.is, d.a, d.b = extended, -1, d.a
		return d
	}
	return difference{}
}

// compareNumbers compares addresses that are equal before p, where they
// differ.
func compareNumbers(a, b string, p int) (difference, bool) {
	d := difference{is: numbers}
	for i, j := p, p; ; {
		for i > 0 && j > 0 && isDigit(a[i-1]) && isDigit(b[j-1]) && a[i-1] == b[j-1] {
			i, j = i-1, j-1
		}
		ai, bj := digitsEnd(a, i), digitsEnd(b, j)
		if ai == i || bj == j {
			return d, false
		}
		if d.slots++; d.slots > maxSlots {
			return d, false
		}
		if d.slots == 1 {
			d.a, d.b, d.from, d.to = numberAt(a[i:ai]), numberAt(b[j:bj]), i, ai
		}
		i, j = ai, bj
		for i < len(a) && j < len(b) && a[i] == b[j] {
			i, j = i+1, j+1
		}
		if i == len(a) && j == len(b) {
			return d, d.a >= 0 && d.b >= 0
		}
	}
}

// compareInserted finds what is inserted in long to make it from short; both
// are equal before p.
func compareInserted(long, short string, p int) (difference, bool) {
	if t := strings.TrimSuffix(short, "/"); len(t) < len(short) && p >= len(t) {
		// A list at /news/ may have its second page at /news?page=2.
		if d, ok := inserted(long, t, min(p, len(t))); ok {
			return d, true
		}
	}
	return inserted(long, short, p)
}

func inserted(long, short string, p int) (difference, bool) {
	rest := short[p:]
	if len(long) <= len(short) || !strings.HasSuffix(long, rest) {
		return difference{}, false
	}
	from, to := pageNumberIn(long, p, len(long)-len(rest))
	if from < 0 {
		return difference{}, false
	}
	return difference{a: numberAt(long[from:to]), b: -1, from: from, to: to, slots: 1}, true
}

// pageNumberIn returns the number in s[from:to) that is most likely a page's:
// that of a known parameter for pages, else for rows per page, else the first. It is -1 if there is no number,
// or if the part is too long to be a page's.
func pageNumberIn(s string, from, to int) (start, end int) {
	const most = 64
	start = -1
	if to-from > most {
		return -1, -1
	}
	for i := from; i < to; i++ {
		if !isDigit(s[i]) || i > 0 && isDigit(s[i-1]) {
			continue
		}
		e := min(digitsEnd(s, i), to)
		if e-i > 7 {
			continue
		}
		switch m := markerBefore(s[:i]); {
		case m == markParam:
			return i, e
		case start < 0 || m == markSize:
			start, end = i, e
		}
		i = e - 1
	}
	return start, end
}

// A marker says what stands before a number in an address.
type marker uint8

const (
	markNone  marker = iota
	markParam        // a parameter that pagers use: page=, start=
	markOther        // another parameter
	markPath         // /page/, page-, /p
	markSlash        // a path segment that is the number
	markDash         // after a - or _ or a comma in a path segment
	markRoot         // the whole path is the number
	markSize         // a parameter for the number of rows: limit=, size=
	markDate         // after a year, or a year and a month
	numMarkers
)

// markerBefore returns what stands before a number that begins at the end of s.
func markerBefore(s string) marker {
	if s == "" {
		return markNone
	}
	last := len(s) - 1
	switch s[last] {
	case '=':
		name := parameterBefore(s)
		if sizeParameter(name) {
			return markSize
		}
		if pageParameter(name) {
			return markParam
		}
		return markOther
	case '/', '-', '_', ',', '.':
		if afterYear(s[:last]) {
			return markDate
		}
		if pathCount(s[:last]) {
			return markSize
		}
		if pathWord(s[:last]) {
			return markPath
		}
		if s[last] == '/' {
			return markSlash
		}
		return markDash
	}
	switch {
	case pathWord(s):
		return markPath
	case pathCount(s), strings.HasSuffix(s, "step"):
		return markSize // /level2, /app_step2
	}
	return markNone
}

// parameterBefore returns the name of the parameter whose value follows s, "" if
// none does.
func parameterBefore(s string) string {
	s, found := strings.CutSuffix(s, "=")
	if !found {
		return ""
	}
	return s[strings.LastIndexAny(s, "?&;#!/")+1:]
}

// pathWord reports whether the last word of s stands for a page in a path.
func pathWord(s string) bool {
	i := len(s)
	for i > 0 && (s[i-1]|0x20 >= 'a' && s[i-1]|0x20 <= 'z') {
		i--
	}
	w := s[i:]
	if len(w) == 0 || len(w) > 10 {
		return false
	}
	switch lower(w) {
	case "page", "pages", "p", "pg", "pag", "pagina", "seite", "sida", "side", "strana", "strona", "str", "stranka", "oldal", "sayfa", "sivu",
		"index", "list", "offset", "start", "o", "from", "pn", "paged", "halaman", "trang", "comment":
		return true
	}
	return false
}

// pathCount reports whether s ends in a segment that is the name of something
// counted that is no page: a round, a step, an episode. Such a word at the end
// of a longer segment belongs to a title.
func pathCount(s string) bool {
	i := len(s)
	for i > 0 && (s[i-1]|0x20 >= 'a' && s[i-1]|0x20 <= 'z') {
		i--
	}
	if i == 0 || s[i-1] != '/' {
		return false
	}
	return countedWord(lower(s[i:]))
}

// countedWord reports whether w is the name of something counted that is no
// page.
func countedWord(w string) bool {
	switch w {
	case "round", "matchday", "gameweek", "week", "runde", "spieltag", "woche", "jornada", "rodada", "fecha", "giornata", "journee", "semaine", "semana", "speelronde", "kolo", "kolejka", "hafta", "tur", "fordulo", "etapa",
		"step", "schritt", "etape", "paso", "passo", "steg", "stap", "krok", "shag",
		"season", "staffel", "saison", "temporada", "stagione", "sezon", "episode", "ep", "folge", "episodio", "bolum", "avsnitt",
		"level", "lesson", "lektion", "leccion", "chapter", "kapitel", "capitulo", "capitolo", "chapitre", "question", "day", "rating", "score", "vote", "slide", "floor", "grade", "version", "month", "year",
		"dia", "jour", "giorno", "den", "dag", "gun", "nap", "dzien", "ziua", "mes", "mois", "monat", "mese", "maand", "miesiac", "mesic", "ay",
		"photo", "foto", "image", "img", "pic", "picture", "zdjecie", "bild", "slika", "kep":
		return true
	}
	return false
}

// pageParameter reports whether name is a parameter by which sites number
// their index pages.
func pageParameter(name string) bool {
	if i := strings.LastIndexByte(name, '['); i >= 0 && strings.HasSuffix(name, "]") {
		name = name[i+1 : len(name)-1] // pager[page]
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name = name[i+1:]
	}
	if len(name) > 16 {
		return false
	}
	switch lower(name) {
	case "page", "p", "pg", "paged", "pageno", "pagenum", "page_no", "page_num", "pagenumber", "page_number", "pageindex", "page_index", "pageidx", "pn", "pi", "start", "offset",
		"from", "begin", "skip", "cur", "curpage", "currentpage", "current_page", "st", "sida", "seite", "pagina", "página", "strana", "strona", "limitstart", "startrow", "startat",
		"startindex", "start_index", "first", "fr", "o", "pageon", "pageid", "gpage", "vpage", "cpage", "cp", "pgno", "pageno_", "sayfa", "oldal", "sivu", "str", "halaman", "trang", "ipage", "topage", "spage",
		"pag", "pos", "paginanum", "board_page", "pagenr", "page_id_", "nav", "nowpage", "thispage", "_page", "showpage", "num_page", "row", "firstresult", "frm", "tpage", "npage", "stranka", "side":
		return true
	}
	return strings.HasPrefix(name, "PAGEN_") || strings.HasSuffix(lower(name), "page")
}

// rowsParameter reports whether name is a parameter for the number of rows on a
// page.
func rowsParameter(name string) bool {
	name = lower(name)
	for _, end := range [...]string{"limit", "size", "perpage", "per_page", "per-page"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	switch name {
	case "pp", "ppp", "ipp", "rows", "count", "show", "results", "rpp", "max",
		"max-results", "items", "amount", "pagelength", "display", "anzahl", "hpp":
		return true
	}
	return false
}

// sizeParameter reports whether name is a parameter for something else than
// pages that counts too.
func sizeParameter(name string) bool {
	name = lower(name)
	switch name {
	case "guests", "adults", "rooms",
		"persons", "people", "children", "portions", "servings", "portionen", "portioner", "porties", "qty", "quantity", "zoom", "lang", "version":
		return true
	case "year", "month", "day", "date", "rating", "stars", "rate", "vote", "score", "step", "tab", "level", "star",
		"ocena", "hodnoceni", "nota", "puan", "bewertung", "sterne", "etoiles", "estrellas", "stelle", "calificacion", "avaliacao",
		"nights", "naechte", "nuits", "noches", "notti", "taille", "talla", "taglia", "groesse", "rozmiar", "pocet", "kiek", "beds", "bedrooms", "baths", "ano", "anno", "jahr", "annee", "rok", "god", "yil", "vuosi", "aar":
		return true
	}
	return rowsParameter(name) || countedWord(name) || name == "id" || strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "postid")
}

// afterYear reports whether s ends in a year, or in a year and a month.
func afterYear(s string) bool {
	i := len(s)
	for i > 0 && isDigit(s[i-1]) {
		i--
	}
	if n := len(s) - i; n == 1 || n == 2 {
		if i == 0 || s[i-1] != '/' && s[i-1] != '-' {
			return false
		}
		s = s[:i-1]
		i = len(s)
		for i > 0 && isDigit(s[i-1]) {
			i--
		}
	}
	y := s[i:]
	return len(y) == 4 && (y[:2] == "19" || y[:2] == "20") && i > 0 && (s[i-1] == '/' || s[i-1] == '-' || s[i-1] == '=')
}

// endsInDate reports whether s ends in a year and a month, as the archives of
// blogs do: /2024/05, m=202405.
func endsInDate(s string) bool {
	s = strings.TrimSuffix(s, "/")
	i := len(s)
	for i > 0 && isDigit(s[i-1]) {
		i--
	}
	if n := len(s) - i; (n == 6 && i > 1 && s[i-1] == '=' || n == 8 && i > 1 && (s[i-1] == '=' || s[i-1] == '/')) && (s[i:i+2] == "19" || s[i:i+2] == "20") {
		return true
	}
	return i > 1 && i < len(s) && len(s)-i <= 2 && (s[i-1] == '/' || s[i-1] == '-') && afterYear(s[:i-1])
}

// rootNumber returns the number that is the whole path of s, -1 if it is none.
func rootNumber(s string) int32 {
	p := strings.Trim(strings.TrimPrefix(s, originOf(s)), "/")
	if p == "" || digitsEnd(p, 0) < len(p) {
		return -1
	}
	return numberAt(p)
}

// isFile reports whether s ends in the name of a picture or another file that is
// no page.
func isFile(s string) bool {
	i := strings.LastIndexByte(s, '.')
	if i < 0 || len(s)-i > 5 {
		return false
	}
	switch lower(s[i+1:]) {
	case "jpg", "jpeg", "png", "gif", "webp", "svg", "pdf", "mp4", "mp3", "zip":
		return true
	}
	return false
}

// hasDay reports whether n stands in s after a year, or a year and a month.
func hasDay(s string, n int32) bool {
	for i := 1; i < len(s); i++ {
		if !isDigit(s[i]) || isDigit(s[i-1]) {
			continue
		}
		e := digitsEnd(s, i)
		if e-i <= 2 && numberAt(s[i:e]) == n && afterYear(s[:i-1]) && (s[i-1] == '/' || s[i-1] == '-') {
			return true
		}
		i = e - 1
	}
	return false
}

// lower returns s in lower case if it has ASCII letters only, without an
// allocation if it is in lower case already.
func lower(s string) string { return strings.ToLower(s) }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func digitsEnd(s string, i int) int {
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}

// numberAt returns the number that s spells, -1 if it is too large for a page
// or an offset.
func numberAt(s string) int32 {
	n := int32(0)
	for i := 0; i < len(s); i++ {
		if n > 1<<27 {
			return -1
		}
		n = n*10 + int32(s[i]-'0')
	}
	return n
}
