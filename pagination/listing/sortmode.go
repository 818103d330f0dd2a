package listing

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// A sortMode is what a page says of the order in which it lists.
type sortMode uint8

const (
	sortsUnknown sortMode = iota
	sortsTime             // by time, without a direction
	sortsNewest           // newest first
	sortsOther            // by something else
)

// maxSortText is the longest text of an element that names a sort mode.
const maxSortText = 40

// A sorting is by what a page says that it is sorted, and its own word for it.
type sorting struct {
	mode sortMode
	word string
}

// sortMode returns by what the page says that it is sorted, and its own word
// for it: a parameter of its address, or the sort mode that it shows as active.
func (r *reader) sortMode() (sortMode, string) {
	if !r.sortingRead {
		r.sorting.mode, r.sorting.word = r.readSorting()
		r.sortingRead = true
	}
	return r.sorting.mode, r.sorting.word
}

func (r *reader) readSorting() (sortMode, string) {
	if mode, word := sortInAddress(r.at.Display); mode != sortsUnknown {
		return mode, word
	}
	nodes := r.outline.Nodes
	for i := int32(1); i < int32(len(nodes)); i++ {
		n := &nodes[i]
		if n.AttrStart == n.AttrEnd || n.TextEnd-n.TextStart > maxSortText || n.TextStart == n.TextEnd || n.End-i > 4 {
			continue
		}
		if !r.isActive(i) || !r.isChoice(i) {
			continue
		}
		text := r.outline.NodeText(int(i))
		if mode := sortNamed(text); mode != sortsUnknown {
			return mode, text
		}
	}
	return sortsUnknown, ""
}

// isActive reports whether an element is marked as the one chosen.
func (r *reader) isActive(node int32) bool {
	n := &r.outline.Nodes[node]
	for _, a := range r.outline.Attrs[n.AttrStart:n.AttrEnd] {
		switch a.Key {
		case "class":
			if namesActive(a.Val) {
				return true
			}
		case "aria-selected", "aria-current", "aria-pressed", "aria-checked":
			if a.Val != "" && a.Val != "false" {
				return true
			}
		}
	}
	return false
}

var activeWords = map[string]bool{
	"active": true, "selected": true, "current": true, "on": true, "cur": true, "sel": true, "checked": true, "act": true, "curr": true,
}

func namesActive(names string) bool {
	for range maxWords {
		var name string
		if name, names = cutWord(names); name == "" {
			return false
		}
		var buf partBuffer
		for name != "" {
			var word []byte
			if word, name = cutPart(name, &buf); activeWords[string(word)] {
				return true
			}
		}
	}
	return false
}

// isChoice reports whether what an element names stands beside other sort
// modes: "price" that is active in a menu of topics says nothing. It may be
// wrapped once, as in a list.
func (r *reader) isChoice(node int32) bool {
	nodes := r.outline.Nodes
	parent := nodes[node].Parent
	if r.hasChoice(parent, node) {
		return true
	}
	return parent > 0 && nodes[parent].End-parent <= 3 && r.hasChoice(nodes[parent].Parent, parent)
}

// hasChoice reports whether a child of an element, another one than node, names
// a sort mode.
func (r *reader) hasChoice(parent, node int32) bool {
	nodes := r.outline.Nodes
	if parent <= 0 || nodes[parent].Tag == atom.Body {
		return false
	}
	const most = 12
	n := 0
	for c := parent + 1; c < nodes[parent].End && n < most; c = nodes[c].End {
		n++
		if c != node && nodes[c].TextEnd-nodes[c].TextStart <= maxSortText && sortNamed(r.outline.NodeText(int(c))) != sortsUnknown {
			return true
		}
	}
	return false
}

// sortNamed returns the sort mode that a text names.
func sortNamed(text string) sortMode {
	if text == "" || len(text) > maxSortText {
		return sortsUnknown
	}
	text = strings.Trim(strings.ToLower(text), " ↑↓▲▼:·|")
	return sortWords[text]
}

var sortWords = map[string]sortMode{
	"newest": sortsNewest, "latest": sortsNewest, "most recent": sortsNewest, "newest first": sortsNewest, "new arrivals": sortsNewest,
	"recent": sortsNewest, "new": sortsNewest, "recently added": sortsNewest, "date: newest first": sortsNewest, "date, new to old": sortsNewest,
	"最新": sortsNewest, "最新发布": sortsNewest, "最新上架": sortsNewest, "新品": sortsNewest, "最新發佈": sortsNewest, "最新发表": sortsNewest,
	"neueste": sortsNewest, "neueste zuerst": sortsNewest, "plus récents": sortsNewest, "nouveautés": sortsNewest, "más recientes": sortsNewest,
	"novedades": sortsNewest, "новые": sortsNewest, "новинки": sortsNewest, "сначала новые": sortsNewest, "新着順": sortsNewest, "新しい順": sortsNewest,
	"최신순": sortsNewest, "mais recentes": sortsNewest, "più recenti": sortsNewest, "nieuwste": sortsNewest, "najnowsze": sortsNewest,
	"nejnovější": sortsNewest, "جدیدترین": sortsNewest, "الأحدث": sortsNewest, "en yeni": sortsNewest, "mới nhất": sortsNewest,

	"date": sortsTime, "date added": sortsTime, "by date": sortsTime, "时间": sortsTime, "按时间": sortsTime, "发布时间": sortsTime,
	"按发布时间": sortsTime, "上架时间": sortsTime, "datum": sortsTime, "fecha": sortsTime, "по дате": sortsTime, "日付順": sortsTime, "날짜순": sortsTime,

	"price": sortsOther, "popular": sortsOther, "popularity": sortsOther, "best sellers": sortsOther, "bestselling": sortsOther,
	"sales": sortsOther, "rating": sortsOther, "comments": sortsOther, "most viewed": sortsOther, "relevance": sortsOther, "featured": sortsOther,
	"name": sortsOther, "best match": sortsOther, "top rated": sortsOther, "a-z": sortsOther, "price: low to high": sortsOther,
	"price: high to low": sortsOther, "most popular": sortsOther,
	"综合": sortsOther, "默认": sortsOther, "销量": sortsOther, "价格": sortsOther, "人气": sortsOther, "评论": sortsOther, "评论数": sortsOther,
	"热门": sortsOther, "好评": sortsOther, "推荐": sortsOther, "preis": sortsOther, "beliebtheit": sortsOther, "bewertung": sortsOther,
	"relevanz": sortsOther, "pertinence": sortsOther, "prix": sortsOther, "precio": sortsOther, "relevancia": sortsOther,
	"по цене": sortsOther, "популярные": sortsOther, "по популярности": sortsOther, "по рейтингу": sortsOther,
	"価格順": sortsOther, "人気順": sortsOther, "おすすめ順": sortsOther, "レビュー順": sortsOther, "인기순": sortsOther, "가격순": sortsOther,
}

// sortInAddress returns the sort mode that a parameter of an address names.
func sortInAddress(url string) (sortMode, string) {
	i := strings.IndexAny(url, "?#")
	if i < 0 {
		return sortsUnknown, ""
	}
	for param := range strings.FieldsFuncSeq(url[i:], func(c rune) bool { return strings.ContainsRune("?&;#!", c) }) {
		name, value, ok := strings.Cut(param, "=")
		if !ok || !sortParams[strings.ToLower(name)] {
			continue
		}
		if mode := sortValues[strings.ToLower(value)]; mode != sortsUnknown {
			return mode, param
		}
	}
	return sortsUnknown, ""
}

var sortParams = map[string]bool{
	"sort": true, "sortby": true, "sort_by": true, "order": true, "orderby": true, "order_by": true, "ordering": true, "ob": true, "o": true,
	"sorttype": true, "by": true, "sortfield": true, "od": true, "rank": true, "s": true, "sk": true,
}

var sortValues = map[string]sortMode{
	"new": sortsNewest, "newest": sortsNewest, "latest": sortsNewest, "recent": sortsNewest, "time_desc": sortsNewest, "date_desc": sortsNewest,
	"newest-first": sortsNewest, "date-desc": sortsNewest, "created_desc": sortsNewest, "-date": sortsNewest, "-created": sortsNewest,

	"time": sortsTime, "date": sortsTime, "dateline": sortsTime, "created": sortsTime, "create_time": sortsTime, "created_at": sortsTime,
	"pubtime": sortsTime, "pubdate": sortsTime, "publish": sortsTime, "addtime": sortsTime, "inputtime": sortsTime, "updatetime": sortsTime,
	"lastpost": sortsTime, "postdate": sortsTime,

	"price": sortsOther, "price_asc": sortsOther, "price_desc": sortsOther, "price-asc": sortsOther, "price-desc": sortsOther, "name": sortsOther,
	"title": sortsOther, "popular": sortsOther, "popularity": sortsOther, "rating": sortsOther, "sales": sortsOther, "views": sortsOther,
	"replies": sortsOther, "relevance": sortsOther, "bestselling": sortsOther, "hot": sortsOther, "heats": sortsOther,
}
