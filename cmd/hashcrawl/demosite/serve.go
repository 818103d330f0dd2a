package demosite

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"time"
)

//go:embed static
var static embed.FS

//go:embed templates
var templateFiles embed.FS

// templates are parsed once and never changed.
var templates = template.Must(template.ParseFS(templateFiles, "templates/*.html"))

const (
	robotsTxt = `# Everyone is welcome, but not everywhere.
User-agent: *
Disallow: /private/
# The rule meets the request target of #!/keeper/..., not the pretty URL.
Disallow: /?_escaped_fragment_=/keeper/

Sitemap: %s/sitemap.xml
`
	elsewhere = "http://elsewhere.example/"
)

// sitemapEntries are the pages that sitemap.xml lists, relative to the root.
var sitemapEntries = []string{"/", "/about", "/tide-tables", "/#!/light/hidden-rock", "/news/"}

func (s *Site) serveRobots(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	fmt.Fprintf(w, robotsTxt, origin(r))
}

func (s *Site) serveSitemap(w http.ResponseWriter, r *http.Request) {
	var b bytes.Buffer
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
		`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	for _, ref := range sitemapEntries {
		fmt.Fprintf(&b, "  <url><loc>%s</loc></url>\n", html.EscapeString(origin(r)+ref))
	}
	b.WriteString("</urlset>\n")
	w.Header().Set("Content-Type", "application/xml; charset=utf-8")
	answer(w, r, b.Bytes(), s.opts.Newest)
}

// servePage answers with the page at the request's address: a document, a
// shell, a redirect or 404.
func (s *Site) servePage(w http.ResponseWriter, r *http.Request) {
	a, ok := parseAddress(r.URL)
	if !ok {
		s.serveError(w, http.StatusBadRequest, "The state in this address cannot be read.")
		return
	}
	p, ok := s.lookup(a)
	if !ok {
		s.serveError(w, http.StatusNotFound, "There is no such page.")
		return
	}
	if p.location != "" {
		// http.Redirect would make a relative reference absolute.
		loc := p.location
		if !p.relative {
			loc = origin(r) + loc
		}
		w.Header().Set("Location", loc)
		w.WriteHeader(http.StatusMovedPermanently)
		return
	}
	doc, err := p.document(origin(r))
	if err != nil {
		s.serveError(w, http.StatusInternalServerError, err.Error())
		return
	}
	if p.xRobots != "" {
		w.Header().Set("X-Robots-Tag", p.xRobots)
	}
	w.Header().Set("Content-Type", cmp.Or(p.mime, "text/html; charset=utf-8"))
	answer(w, r, doc, p.modified)
}

// view is what the templates see.
type view struct {
	Title, Lang, Dir string
	Charset          string // for the meta element, which is left out if empty
	Head, Body       template.HTML
	OptedIn          bool
}

// document returns the bytes of p as served at origin, in p's encoding.
func (p *page) document(origin string) ([]byte, error) {
	text := p.raw
	if text == "" {
		var b bytes.Buffer
		name := "page.html"
		if p.shell {
			name = "shell.html"
		}
		if err := templates.ExecuteTemplate(&b, name, p.view()); err != nil {
			return nil, fmt.Errorf("demosite: page %s: %w", p.at.display(), err)
		}
		text = b.String()
	}
	text = strings.ReplaceAll(text, "{origin}", origin)
	if p.encoding == nil {
		return []byte(text), nil
	}
	enc, err := p.encoding.NewEncoder().String(text)
	if err != nil {
		return nil, fmt.Errorf("demosite: page %s: %w", p.at.display(), err)
	}
	return []byte(enc), nil
}

func (p *page) view() view {
	v := view{
		Title: p.title, Lang: p.language(), Dir: "ltr", Charset: p.metaCharset, OptedIn: p.optedIn,
		Head: template.HTML(p.head), Body: template.HTML(p.body),
	}
	if p.encoding == nil {
		v.Charset = "utf-8"
	}
	if v.Lang == "ar" || v.Lang == "fa" {
		v.Dir = "rtl"
	}
	return v
}

// serveState answers the shell's script with the content of one state:
// ?page=PATH&state=STATE, both as the browser has them.
func (s *Site) serveState(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	u, err := url.Parse(q.Get("page"))
	if err != nil {
		s.serveError(w, http.StatusBadRequest, "The page parameter is no reference.")
		return
	}
	a := address{path: u.Path, query: u.RawQuery, ugly: true, state: plainState(q.Get("state"))}
	p, ok := s.lookup(a)
	if ok && strings.HasPrefix(p.location, "/#!") {
		_, a.state, _ = strings.Cut(p.location, "#!")
		p, ok = s.lookup(a)
	}
	if !ok {
		s.serveError(w, http.StatusNotFound, "There is no such state.")
		return
	}
	v := p.view()
	body, err := json.Marshal(map[string]string{"title": v.Title, "lang": v.Lang, "dir": v.Dir, "html": string(v.Body)})
	if err != nil {
		s.serveError(w, http.StatusInternalServerError, err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/json")
	answer(w, r, body, p.modified)
}

func (s *Site) serveError(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprintf(w, "<!DOCTYPE html>\n<html lang=\"en\"><title>%d %s</title>\n<p>%s <a href=\"/\">The register</a>\n",
		status, http.StatusText(status), html.EscapeString(text))
}

// answer sends body with validators of its own and honours conditional
// requests. The ETag is a digest of the body, so two snapshots never share
// one and a page has a new one exactly when its bytes change.
func answer(w http.ResponseWriter, r *http.Request, body []byte, modified time.Time) {
	sum := sha256.Sum256(body)
	w.Header().Set("ETag", `"`+hex.EncodeToString(sum[:8])+`"`)
	http.ServeContent(w, r, "", modified, bytes.NewReader(body))
}

// origin is the site's scheme and authority as the client wrote it.
func origin(r *http.Request) string {
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}
