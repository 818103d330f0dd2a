package ajaxscheme

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// OptIn tells what the head of a page says about the scheme [G-AJAX §meta].
type OptIn int

const (
	OptInNone    OptIn = iota // no tag
	OptInValid                // <meta name="fragment" content="!"> in the head
	OptInInvalid              // a tag that was meant so and does not count, see Detector.Fault
)

// String returns none, valid or invalid.
func (o OptIn) String() string {
	switch o {
	case OptInValid:
		return "valid"
	case OptInInvalid:
		return "invalid"
	}
	return "none"
}

// A Detector finds the opt-in in a stream of tokens, so that a page is
// tokenised once for all that is read from it. The zero value is ready. It
// follows the tree construction of [WHATWG-HTML §13.2.6] as far as it takes
// to know whether a meta tag ends up in the head. Not for concurrent use.
type Detector struct {
	optIn OptIn
	value string
	fault string

	stage stage
	raw   atom.Atom // the open element whose text is its own, 0 if none
	// inert is the template or noscript element whose content does not count,
	// and depth the number of its kind that are open.
	inert atom.Atom
	depth int
}

// stage is how far the page is. Between </head> and <body> a meta tag still
// goes into the head [WHATWG-HTML §13.2.6.4.6].
type stage uint8

const (
	inHead stage = iota
	afterHead
	inBody
)

// Start takes a start tag with its attributes, names in lower case and values
// unescaped as the tokenizer gives them; a self-closing tag too. Unknown
// elements are 0.
func (d *Detector) Start(tag atom.Atom, attrs []html.Attribute) {
	if d.depth > 0 {
		if tag == d.inert {
			d.depth++
		} else if tag == atom.Meta {
			d.meta(attrs, "it stands inside <"+d.inert.String()+">")
		}
		return
	}
	switch tag {
	case atom.Meta:
		why := ""
		if d.stage == inBody {
			why = "it stands in the body"
		}
		d.meta(attrs, why)
	case atom.Title, atom.Style, atom.Script, atom.Noframes:
		d.raw = tag
	case atom.Html, atom.Head, atom.Link, atom.Base, atom.Basefont, atom.Bgsound:
	case atom.Template:
		d.inert, d.depth = tag, 1
	case atom.Noscript:
		if d.stage == afterHead {
			d.stage = inBody
		}
		d.inert, d.depth = tag, 1
	default:
		d.stage = inBody
	}
}

// End takes an end tag.
func (d *Detector) End(tag atom.Atom) {
	d.raw = 0
	if d.depth > 0 {
		if tag == d.inert {
			d.depth--
		}
		return
	}
	switch tag {
	case atom.Head:
		d.stage = max(d.stage, afterHead)
	case atom.Body, atom.Html, atom.Br:
		d.stage = inBody
	}
}

// Text takes the text between two tags. Anything but blanks outside of an
// element of the head opens the body.
func (d *Detector) Text(text []byte) {
	if d.raw == 0 && d.depth == 0 && d.stage != inBody && len(bytes.Trim(text, blanks)) > 0 {
		d.stage = inBody
	}
}

// Done reports that nothing that follows can change the answer.
func (d *Detector) Done() bool {
	return d.optIn == OptInValid || d.optIn == OptInInvalid && d.stage == inBody
}

// OptIn returns what was found so far.
func (d *Detector) OptIn() OptIn { return d.optIn }

// Fault returns the content of an invalid tag and what is wrong with it.
func (d *Detector) Fault() (content, why string) { return d.value, d.fault }

// meta judges one meta tag. The first valid one wins; of invalid ones the
// first is kept. misplaced says why it does not count by its place.
func (d *Detector) meta(attrs []html.Attribute, misplaced string) {
	name, _ := attribute(attrs, "name")
	if d.optIn == OptInValid || !strings.EqualFold(strings.Trim(name, blanks), "fragment") {
		return
	}
	content, has := attribute(attrs, "content")
	why := misplaced
	switch {
	case why != "":
	case !strings.EqualFold(name, "fragment"):
		why = "its name has blanks around it"
	case !has:
		why = "it has no content attribute"
	case content != "!":
		why = `its content is not exactly "!"`
	default:
		d.optIn, d.value, d.fault = OptInValid, "", ""
		return
	}
	if d.optIn == OptInNone {
		d.optIn, d.value, d.fault = OptInInvalid, content, why
	}
}

// blanks are the space characters of HTML.
const blanks = " \t\n\f\r"

// attribute returns the value of an attribute. Of several with one name the
// first counts [WHATWG-HTML §13.2.5.33].
func attribute(attrs []html.Attribute, name string) (string, bool) {
	for _, a := range attrs {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

// Detect returns the opt-in of a page that is read for nothing else, with the
// detector that found it. The page is UTF-8.
func Detect(page []byte) *Detector {
	var d Detector
	z := html.NewTokenizer(bytes.NewReader(page))
	for !d.Done() {
		switch z.Next() {
		case html.ErrorToken:
			return &d
		case html.TextToken:
			d.Text(z.Raw())
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			d.Start(t.DataAtom, t.Attr)
		case html.EndTagToken:
			name, _ := z.TagName()
			d.End(atom.Lookup(name))
		}
	}
	return &d
}

// DetectOptIn returns the opt-in of a page in UTF-8.
func DetectOptIn(page []byte) OptIn { return Detect(page).OptIn() }
