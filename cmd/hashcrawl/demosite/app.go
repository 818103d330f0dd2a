package demosite

import (
	"fmt"
	"html"
	"strings"
)

// link returns an anchor whose href is ref, in the spelling given.
func link(ref, text string) string {
	return `<a href="` + html.EscapeString(ref) + `">` + html.EscapeString(text) + `</a>`
}

// state returns the snapshot of a state of the application at path.
func state(path, state, title, body string) page {
	return page{at: address{path: path, ugly: true, state: state}, title: title, body: article(title, body)}
}

// shell returns the nearly empty document that a browser gets at path.
func shell(path, query string, optedIn bool) page {
	return page{at: address{path: path, query: query}, title: "Skerry", shell: true, optedIn: optedIn}
}

func article(title, body string) string {
	return "<h1>" + html.EscapeString(title) + "</h1>\n" + body
}

// in gives p another language than English.
func (p page) in(lang string) page {
	p.lang = lang
	return p
}

// excluded marks p as one that is not to be indexed, and whether a correct
// crawl asks for it all the same.
func (p page) excluded(why string, requested bool) page {
	p.why, p.unrequested = why, !requested
	return p
}

// decoys are request targets that stand in the site's text, but not in a link.
var decoys = []string{"/trap/comment", "/trap/duplicate", "/trap/script", "/trap/spaced", "/trap/textarea"}

// appPages are the application at the root, opted in, and its states.
func appPages() []page {
	home := state("/", "", "Skerry, a register of lighthouses", homeBody)
	lights := state("/", "/lights", "All lights", `<ul>
<li>`+link("#!/light/grey-skerry", "Grey Skerry")+`</li>
<li>`+link("#!/light/st-annes-head", "St Anne's Head")+`</li>
<li>`+link("#!/light/merry-dancers", "Merry Dancers")+`</li>
<li>`+link("#!/light/old-mole", "Old Mole (now Grey Skerry)")+`</li>
<li>`+link("#!/light/dark-light", "The dark light")+`</li>
<li>`+link("#!/light/never-built", "The light that was never built")+`</li>
<li>`+link("#!/keeper/wages", "What the keepers were paid")+`</li>
</ul>
<p>`+link("/?_escaped_fragment_=/light/unlisted", "A link that someone copied from a server's log")+`</p>
<p>`+link("/gallery", "The picture gallery")+`</p>
`)
	moved := state("/", "/light/old-mole", "Old Mole", "").excluded("redirect", true)
	moved.location = "/#!/light/grey-skerry"
	dark := state("/", "/light/dark-light", "The dark light",
		"<p>Shown to sailors, kept out of registers by its header.</p>\n").excluded("noindex", true)
	dark.xRobots = "noindex"
	hidden := state("/", "/light/hidden-rock", "Hidden Rock", lightBody("Hidden Rock", 12, 1933))
	hidden.sitemapOnly = true
	return []page{
		shell("/", "", true), home, lights,
		state("/", "/light/grey-skerry", "Grey Skerry", lightBody("Grey Skerry", 41, 1851)),
		state("/", "/light/st-annes-head", "St Anne's Head", lightBody("St Anne's Head", 23, 1874)),
		state("/", "/light/merry-dancers", "Merry Dancers", lightBody("Merry Dancers", 35, 1902)),
		hidden, moved, dark,
		state("/", "/keeper/wages", "What the keepers were paid", "<p>Not much.</p>\n").excluded("robots", false),
		state("/", "/light/unlisted", "Unlisted", "<p>No pretty URL leads here.</p>\n").excluded("ugly link", false),
		shell("/gallery", "", true), gallery("", "Pictures", link("/gallery?year=1912", "Pictures of 1912")),
		shell("/gallery", "year=1912", true), gallery("year=1912", "Pictures of 1912", link("/gallery", "All pictures")),
	}
}

// gallery returns the snapshot of an opted-in page without a state. Like the
// snapshots of real renderers it still carries the opt-in tag.
func gallery(query, title, body string) page {
	return page{
		at:    address{path: "/gallery", query: query, ugly: true},
		title: title,
		head:  "<meta name=\"fragment\" content=\"!\">\n",
		body:  article(title, "<p>Storms, lamps, keepers and their dogs.</p>\n<p>"+body+"</p>\n"),
	}
}

const homeBody = `<p>A register of lighthouses that never were, kept as an application of <code>#!</code>
states, so that a crawler has something to understand.</p>
<ul>
<li><a href="#!/lights">All lights</a></li>
<li><a href="/chart#!q=fog+signal&amp;sort=height">Search: fog signal, by height</a></li>
<li><a href="/log">The keeper's log</a></li>
<li><a href="/news/">Notices to mariners</a></li>
<li><a href="/news/../about#history">About the register</a></li>
<li><a href="/scripts">The register in other scripts</a></li>
<li><a href="/drafts">Drafts</a></li>
<li><a href="/wreck">A wrecked page</a></li>
<li><a href="/library/">The library</a></li>
<li><a href="/ledger" rel="nofollow">The ledger</a></li>
<li><a href="/private/wills">Private papers</a></li>
<li><a href="/old-about">About the register (old address)</a></li>
<li><a href="/go/skerry">Short link to Grey Skerry</a></li>
<li><a href="/lost">Lost</a></li>
<li><a href="http://elsewhere.example/">Another register, elsewhere</a></li>
<li><a href="mailto:keeper@elsewhere.example">Write to the keeper</a></li>
<li><a href="javascript:void(0)">Sound the horn</a></li>
</ul>
`

func lightBody(name string, metres, year int) string {
	return fmt.Sprintf(`<p>%s stands %d metres above the spring tide and was first lit in %d. Its keepers left
no record but the one that we made up.</p>
<p>%s · %s</p>
`, html.EscapeString(name), metres, year, link("#!/lights", "All lights"), link("/chart#!/chart/"+strings.ToLower(name[:1]), "On the chart"))
}
