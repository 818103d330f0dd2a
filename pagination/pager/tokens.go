package pager

// A token is a meaning that a word in a class, an id, a role or the name of an
// icon has for a pager.
type token uint8

const (
	tokNext token = iota
	tokPrev
	tokFirst
	tokLast
	tokOlder
	tokNewer
	tokPager // pagination, pager, pagenav
	tokPage  // page alone: often only the wrapper of the whole page
	tokNumber
	tokNav
	tokMore
	tokCurrent
	tokDisabled
	tokArrow
	tokRight
	tokLeft
	tokComment
	tokCalendar
	tokLetters
	tokCrumb
	tokStep
	tokTab
	tokSlider
	tokRating
	tokLanguage
	tokSize
	tokSort
	tokMenu
	tokShare
	tokPost
	tokTag
	tokFooter
	tokHeader
	tokList
	tokThread
	tokSidebar
	tokButton
	tokItem
	tokCount
	tokEllipsis
	tokFar // of an icon: to the end, not by one
	numTokens
)

// A tokenSet is a set of tokens.
type tokenSet uint64

func (s tokenSet) has(t token) bool { return s&(1<<t) != 0 }

// maxTokenWord is the longest word of a class that is looked at.
const maxTokenWord = 24

// tokensOf returns the tokens in the value of a class or the like. Words are
// parted by what is no letter and where a small letter meets a capital.
func tokensOf(s string) tokenSet {
	var set tokenSet
	var word [maxTokenWord]byte
	n, small, negated := 0, false, false
	for i := 0; i < len(s); i++ {
		c := s[i]
		capital := 'A' <= c && c <= 'Z'
		letter := capital || 'a' <= c && c <= 'z'
		if n > 0 && (!letter || capital && small) {
			set, negated = set.with(word[:n], negated)
			n = 0
		}
		small = letter && !capital
		if letter && n < maxTokenWord {
			word[n] = c | 0x20
			n++
		}
	}
	if n > 0 {
		set, _ = set.with(word[:n], negated)
	}
	return set
}

// with adds the tokens of a word unless it is negated, as in "not-selected",
// and reports whether it negates the next.
func (s tokenSet) with(word []byte, negated bool) (set tokenSet, negates bool) {
	switch string(word) {
	case "not", "non", "un", "no", "without":
		return s, true
	}
	if negated {
		return s, false
	}
	return s | tokenOfWord(word), false
}

func tokenOfWord(w []byte) tokenSet {
	switch string(w) {
	case "next", "nxt", "forward", "weiter", "suivant", "siguiente", "sig", "volgende",
		"forwards", "suiv", "naechste", "proxima", "proximo", "successiva", "seguente", "avanti", "nastepna", "dalsi", "sonraki", "ileri", "vpered":
		return 1 << tokNext
	case "prev", "previous", "prv", "back", "zurueck", "precedent", "anterior", "vorige",
		"backward", "backwards", "prec", "vorherige", "precedente", "indietro", "poprzednia", "predchozi", "onceki", "geri", "nazad":
		return 1 << tokPrev
	case "first", "start", "begin":
		return 1 << tokFirst
	case "last", "end":
		return 1 << tokLast
	case "older":
		return 1 << tokOlder
	case "newer":
		return 1 << tokNewer
	case "page":
		return 1 << tokPage
	case "strankovani", "strankovanie", "stronicowanie", "stranicenje", "lapozo", "lapozas", "sayfalama", "sayfalar", "sivutus", "blaettern", "fenye":
		return 1 << tokPager
	case "number", "numbers", "num", "nums", "numeric":
		return 1 << tokNumber
	case "nav", "navi", "navigation", "navbar", "navig", "navlinks":
		return 1 << tokNav
	case "more", "loadmore", "infinite", "load", "showmore":
		return 1 << tokMore
	case "current", "active", "selected", "curr", "cur", "on":
		return 1 << tokCurrent
	case "disabled", "inactive", "off":
		return 1 << tokDisabled
	case "arrow", "arrows", "chevron", "caret", "angle", "arr", "angles", "chevrons", "carets":
		return 1 << tokArrow
	case "double", "fast":
		return 1 << tokFar
	case "right":
		return 1 << tokRight
	case "left":
		return 1 << tokLeft
	case "comment", "comments", "reply", "replies", "commentlist", "respond":
		return 1 << tokComment
	case "calendar", "cal", "date", "datepicker", "month", "months", "day", "days", "year", "years", "archive", "archives":
		return 1 << tokCalendar
	case "letter", "letters", "alpha", "alphabet", "alphabetical", "az", "glossary":
		return 1 << tokLetters
	case "breadcrumb", "breadcrumbs", "crumb", "crumbs":
		return 1 << tokCrumb
	case "step", "steps", "stepper", "wizard", "progress":
		return 1 << tokStep
	case "tab", "tabs":
		return 1 << tokTab
	case "slider", "slide", "slides", "carousel", "slick", "swiper", "flex", "flexslider", "gallery", "lightbox", "bx", "owl", "slideshow", "rotator", "jcarousel", "thumb", "thumbs", "thumbnail", "galleria":
		return 1 << tokSlider
	case "rating", "ratings", "star", "stars", "vote", "votes", "rate", "score":
		return 1 << tokRating
	case "lang", "language", "languages", "locale", "locales", "currency":
		return 1 << tokLanguage
	case "size", "limit", "limiter", "perpage", "show", "per", "ipp", "amount":
		return 1 << tokSize
	case "sort", "sorter", "sorting", "order", "filter", "filters", "facet":
		return 1 << tokSort
	case "menu", "submenu", "dropdown", "mainmenu", "topnav":
		return 1 << tokMenu
	case "share", "social", "facebook", "twitter", "follow", "addthis":
		return 1 << tokShare
	case "post", "posts", "article", "entry", "story", "single", "blog":
		return 1 << tokPost
	case "tag", "tags", "tagcloud", "cat", "category", "categories":
		return 1 << tokTag
	case "footer", "foot", "bottom", "bottomnav":
		return 1 << tokFooter
	case "header", "head", "top":
		return 1 << tokHeader
	case "list", "items", "results", "result", "listing", "products", "products-list":
		return 1 << tokList
	case "thread", "threads", "topic", "topics", "threadtitle", "forum", "threadbit", "discussion", "row", "subject":
		return 1 << tokThread
	case "sidebar", "widget", "aside", "side", "rail":
		return 1 << tokSidebar
	case "btn", "button", "link":
		return 1 << tokButton
	case "item", "li":
		return 1 << tokItem
	case "count", "counter", "total", "badge", "views", "qty", "quantity", "cart", "likes":
		return 1 << tokCount
	case "dots", "ellipsis", "gap", "extend":
		return 1 << tokEllipsis
	}
	return tokenOfCompound(w)
}

// tokenOfCompound looks for words that templates write without a mark between
// them: nextpage, pagenavi, wp_pagenavi, prevlink.
func tokenOfCompound(w []byte) tokenSet {
	if len(w) < 5 {
		return 0
	}
	var set tokenSet
	if begins(w, "pag") {
		set |= 1 << tokPager
	}
	if begins(w, "next") || ends(w, "next") {
		set |= 1 << tokNext
	}
	if begins(w, "prev") || ends(w, "prev") || ends(w, "previous") {
		set |= 1 << tokPrev
	}
	if ends(w, "pager") || ends(w, "pages") || ends(w, "pagination") || ends(w, "paging") || ends(w, "page") {
		set |= 1 << tokPager
	}
	if ends(w, "slider") || ends(w, "carousel") || ends(w, "gallery") {
		set |= 1 << tokSlider
	}
	if begins(w, "comment") {
		set |= 1 << tokComment
	}
	if begins(w, "calendar") || ends(w, "calendar") {
		set |= 1 << tokCalendar
	}
	if ends(w, "menu") {
		set |= 1 << tokMenu
	}
	if ends(w, "nav") {
		set |= 1 << tokNav
	}
	return set
}

func begins(w []byte, prefix string) bool {
	return len(w) >= len(prefix) && string(w[:len(prefix)]) == prefix
}

func ends(w []byte, suffix string) bool {
	return len(w) >= len(suffix) && string(w[len(w)-len(suffix):]) == suffix
}
