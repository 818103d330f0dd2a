package sitemap

import "bufio"

// readXML reads a document whose first byte is '<'.
func readXML(r *bufio.Reader, c *collector) {
	x := &xmlReader{scanner: scanner{r: r}, collector: c}
	for {
		t, ok := x.scanner.next()
		if !ok {
			x.end()
			return
		}
		if !x.tag(t) {
			return
		}
	}
}

// A field is an element of an entry whose text we want.
type field uint8

const (
	noField field = iota
	locField
	spareField // a URL to use if there is no better one
	lastModField
	publishedField
)

// An xmlReader makes entries of tags. It follows no nesting beyond what it
// needs: the entry that is open, the foreign element that is open in it, and
// the field whose text is collected.
type xmlReader struct {
	scanner   scanner
	collector *collector

	kind   Kind
	root   name   // of the first element of a known vocabulary
	prefix string // of the elements of the document's own vocabulary
	closed bool   // the root has ended

	open      bool // an entry is
	entry     Entry
	spare     string
	began     bool // the entry holds something that is not passed on yet
	extension name // of the foreign element that is open in the entry
	depth     int  // how many of its name are open, 0 for none

	field  field
	within name // of the field's element
	nested int  // elements open inside the field
}

// vocabulary returns the kind of document that an element is the root of, or
// would be if it were there: an entry element can stand alone.
func vocabulary(local string) (kind Kind, isRoot bool) {
	switch local {
	case "urlset":
		return URLSet, true
	case "url":
		return URLSet, false
	case "sitemapindex":
		return Index, true
	case "sitemap":
		return Index, false
	case "rss", "rdf":
		return RSS, true
	case "channel", "item":
		return RSS, false
	case "feed":
		return Atom, true
	case "entry":
		return Atom, false
	}
	return "", false
}

// tag takes in one tag and reports whether to go on.
func (x *xmlReader) tag(t tag) bool {
	if x.kind == "" && !x.begin(t) {
		return t.local != "html" && t.local != "head" && t.local != "body"
	}
	if x.field != noField && x.inField(t) {
		return true
	}
	switch {
	case x.isEntry(t):
		return x.entryTag(t)
	case t.name == x.root && (t.end || t.empty):
		x.closed = true
		return x.endEntry()
	case !x.open:
	case x.depth > 0 && t.name == x.extension:
		x.depth += nesting(t)
	case t.end:
	case x.depth == 0 && t.local == "link" && (x.kind == Atom || t.prefix != ""):
		x.link(t)
	default:
		return x.element(t)
	}
	return true
}

// begin looks for the element that tells the kind of the document.
func (x *xmlReader) begin(t tag) bool {
	kind, isRoot := vocabulary(t.local)
	if t.end || kind == "" {
		return false
	}
	x.kind, x.collector.sum.Kind = kind, kind
	x.root, x.closed = t.name, !isRoot
	if kind != RSS { // in RSS 1.0 only the root has a prefix
		x.prefix = t.prefix
	}
	return true
}

// nesting is what a tag adds to the number of open elements.
func nesting(t tag) int {
	switch {
	case t.end:
		return -1
	case t.empty:
		return 0
	}
	return 1
}

// isEntry reports whether t begins or ends an entry. Indexes that call
// themselves urlset exist, and the reverse.
func (x *xmlReader) isEntry(t tag) bool {
	if t.prefix != x.prefix {
		return false
	}
	switch x.kind {
	case URLSet, Index:
		return t.local == "url" || t.local == "sitemap"
	case RSS:
		return t.local == "item"
	}
	return t.local == "entry"
}

// entryTag begins or ends an entry. A begin ends the entry before it too, as
// end tags go missing.
func (x *xmlReader) entryTag(t tag) bool {
	if !x.endEntry() || t.end {
		return x.collector.sum.Stop == StopNone
	}
	x.open, x.began = true, true
	x.entry = Entry{Sitemap: t.local == "sitemap"}
	if about := t.attr("rdf:about"); isAbsolute(about) {
		x.spare = about
	}
	return !t.empty || x.endEntry()
}

// endEntry passes the open entry on, and reports whether to go on.
func (x *xmlReader) endEntry() bool {
	more := x.emit()
	x.open, x.depth = false, 0
	return more
}

// emit passes on what the entry holds.
func (x *xmlReader) emit() bool {
	e := x.entry
	if e.Loc == "" {
		e.Loc = x.spare
	}
	sitemap := x.entry.Sitemap
	x.entry, x.spare = Entry{Sitemap: sitemap}, ""
	if !x.began {
		return true
	}
	x.began = false
	return x.collector.add(e)
}

// element takes in the start of an element inside an entry.
func (x *xmlReader) element(t tag) bool {
	f := x.fieldOf(t)
	switch {
	case f == noField && x.depth == 0 && !t.empty:
		x.extension, x.depth = t.name, 1
	case f == noField || t.empty:
	default:
		if f == locField && x.entry.Loc != "" {
			// A second URL in one entry: an end tag is missing between them.
			if !x.emit() {
				return false
			}
			x.began = true
		}
		x.field, x.within, x.nested = f, t.name, 0
		x.scanner.collect()
	}
	return true
}

// fieldOf returns the field that an element holds, given what is open.
// Elements of extensions have names of their own, so that image:loc is no
// loc, and no loc inside <image> is one either.
func (x *xmlReader) fieldOf(t tag) field {
	if x.depth > 0 {
		if x.extension.local == "news" && t.local == "publication_date" {
			return publishedField
		}
		return noField
	}
	if t.prefix != x.prefix {
		if x.kind == RSS && t.name == (name{"dc", "date"}) {
			return lastModField
		}
		return noField
	}
	switch x.kind {
	case URLSet, Index:
		switch t.local {
		case "loc":
			return locField
		case "lastmod":
			return lastModField
		}
	case RSS:
		switch t.local {
		case "link":
			return locField
		case "guid":
			return spareField
		case "pubdate":
			return lastModField
		}
	case Atom:
		switch t.local {
		case "id":
			return spareField
		case "updated", "modified":
			return lastModField
		case "published", "issued":
			return publishedField
		}
	}
	return noField
}

// link takes in a link element, which holds nothing, so that a missing end
// tag opens nothing either. Atom has its URL there.
func (x *xmlReader) link(t tag) {
	if x.kind != Atom || t.prefix != x.prefix || x.entry.Loc != "" {
		return
	}
	if rel := t.attr("rel"); rel == "" || rel == "alternate" {
		x.entry.Loc = t.attr("href")
	}
}

// inField takes in a tag while the text of a field is collected. It reports
// false if the tag ended the field but means something else besides: end tags
// go missing.
func (x *xmlReader) inField(t tag) bool {
	switch {
	case t.end && x.nested > 0:
		x.nested--
		return true
	case t.end:
		x.endField()
		return t.name == x.within
	case x.fieldOf(t) != noField:
		x.endField()
		return false
	}
	x.nested += nesting(t) // <loc><url>…</url></loc> exists
	return true
}

// endField puts the collected text where it belongs.
func (x *xmlReader) endField() {
	text := trimSpace(string(x.scanner.text))
	if x.scanner.long || x.scanner.undefined {
		text = ""
	}
	switch x.field {
	case locField:
		x.entry.Loc = text
	case spareField:
		if isAbsolute(text) {
			x.spare = text
		}
	case lastModField:
		if at, ok := ParseDate(text); ok {
			x.entry.LastMod = at
		}
	case publishedField:
		if at, ok := ParseDate(text); ok {
			x.entry.Published = at
		}
	}
	x.field, x.scanner.keep = noField, false
}

// end takes in the end of the document. A URL that was being read counts if a
// tag had begun behind it, as nothing of it can be missing then.
func (x *xmlReader) end() {
	if x.field != noField && x.scanner.closing {
		x.endField()
	}
	if x.entry.Loc == "" && x.spare == "" {
		x.began = false // nothing to drop: the rest was never here
	}
	if x.endEntry() && x.kind != "" && !x.closed {
		x.collector.sum.Stop = StopCut
	}
}
