package crawler

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A behaviour is a row of the corpus that tells what a crawl does, played
// through on a web.
type behaviour struct {
	answers map[string]answer // by request URL
	seeds   []string          // http://h/ if there are none
	want    map[string]string // outcomes by display URL
	indexed []string          // all that is indexed, sorted; not checked if nil
	asked   []string          // requests that must be sent
	never   []string          // requests that must not be sent
}

// disallow returns a robots.txt with one rule for everybody.
func disallow(pattern string) answer { return answer{body: "User-agent: *\nDisallow: " + pattern} }

// titled returns a page that shows its title.
func titled(t string) answer { return answer{body: "<title>" + t + "</title><p>" + t + "</p>"} }

// optedIn returns an empty document with the tag.
func optedIn() answer { return answer{body: "<head>" + optInTag + "<title>shell</title></head>"} }

// withHeader returns a with one more header field.
func withHeader(a answer, name, value string) answer {
	a.header = http.Header{name: {value}}
	return a
}

// behaviours are the rows by their IDs.
var behaviours = map[string]behaviour{
	"M32": {
		answers: map[string]answer{"http://h/": links("p"), "http://h/p": optedIn(), "http://h/p?_escaped_fragment_=": titled("p")},
		want:    map[string]string{"http://h/p": "indexed"},
	},
	"M33": {
		answers: map[string]answer{"http://h/": links("p?q=1"), "http://h/p?q=1": optedIn(), "http://h/p?q=1&_escaped_fragment_=": titled("p")},
		want:    map[string]string{"http://h/p?q=1": "indexed"},
	},
	"M35": {
		answers: map[string]answer{"http://h/": links("p"), "http://h/p": optedIn()},
		want:    map[string]string{"http://h/p": "failed: http 404"},
		indexed: []string{"http://h/"},
	},
	"M37": {
		answers: map[string]answer{"http://h/": links("p"), "http://h/p": {status: 404, body: optInTag}},
		want:    map[string]string{"http://h/p": "failed: http 404"},
		never:   []string{"http://h/p?_escaped_fragment_="},
	},
	"M38": {
		answers: map[string]answer{"http://h/": links("feed.xml"), "http://h/feed.xml": withHeader(answer{body: optInTag}, "Content-Type", "application/xml")},
		want:    map[string]string{"http://h/feed.xml": "not-html"},
		never:   []string{"http://h/feed.xml?_escaped_fragment_="},
	},
	"M39": {
		answers: map[string]answer{"http://h/robots.txt": disallow("/*_escaped_fragment_"), "http://h/": links("p"), "http://h/p": optedIn()},
		want:    map[string]string{"http://h/p": "indexed: opted in, but its snapshot is forbidden by robots.txt line 2"},
		never:   []string{"http://h/p?_escaped_fragment_="},
	},
	"M42": {
		answers: map[string]answer{
			"http://h/":                     {body: "\xff\xfe" + utf16le("<head>"+optInTag+"</head>")},
			"http://h/?_escaped_fragment_=": titled("home"),
		},
		want: map[string]string{"http://h/": "indexed"}, asked: []string{"http://h/?_escaped_fragment_="},
	},
	"M43": {
		answers: map[string]answer{"http://h/": {body: `<script>document.head.innerHTML='<meta name="fragment" content="!">'</script>x`}},
		indexed: []string{"http://h/"},
		never:   []string{"http://h/?_escaped_fragment_="},
	},
	"L22": {
		answers: map[string]answer{"http://h/": titled("h"), "http://h/sitemap.xml": sitemapOf("http://h/#!foo=123"), "http://h/?_escaped_fragment_=foo=123": titled("foo")},
		indexed: []string{"http://h/", "http://h/#!foo=123"},
	},
	"L23": {
		answers: map[string]answer{"http://h/": titled("h"), "http://h/sitemap.xml": sitemapOf("http://h/?_escaped_fragment_=foo=123")},
		want:    map[string]string{"http://h/#!foo=123": "ugly-link"},
		never:   []string{"http://h/?_escaped_fragment_=foo=123"},
		indexed: []string{"http://h/"},
	},
	"L24": {
		answers: map[string]answer{"http://h/a": titled("a"), "http://h/sitemap.xml": sitemapOf("http://h/"), "http://h/": optedIn(), "http://h/?_escaped_fragment_=": titled("home")},
		seeds:   []string{"http://h/a"},
		indexed: []string{"http://h/", "http://h/a"},
	},
	"L25": {
		answers: map[string]answer{"http://h/": {body: `<title>h</title><a rel="nofollow" href="#!/b">b</a>`}},
		want:    map[string]string{"http://h/#!/b": "nofollow"},
		never:   []string{"http://h/?_escaped_fragment_=/b"},
	},
	"L26": {
		answers: map[string]answer{"http://h/": {body: `<title>h</title><a href="#" onclick="go()">b</a>`}},
		indexed: []string{"http://h/"},
		never:   []string{"http://h/?_escaped_fragment_="},
	},
	"L28": {
		answers: map[string]answer{
			"http://h/":                {body: `<title>h</title><a onclick="navigate('ajax.html#foo=32');return false" href="ajax.htm?foo=32">x</a>`},
			"http://h/ajax.htm?foo=32": titled("32"),
		},
		indexed: []string{"http://h/", "http://h/ajax.htm?foo=32"},
	},
	"L30": {
		answers: map[string]answer{
			"http://h/robots.txt":             disallow("/?_escaped_fragment_=/secret"),
			"http://h/":                       links("#!/a", "#!/c"),
			"http://h/?_escaped_fragment_=/a": {status: 301, location: "/#!/b"},
			"http://h/?_escaped_fragment_=/b": titled("b"),
			"http://h/?_escaped_fragment_=/c": {status: 301, location: "/#!/secret"},
		},
		want:  map[string]string{"http://h/#!/a": "redirect", "http://h/#!/b": "indexed", "http://h/#!/secret": "robots"},
		never: []string{"http://h/?_escaped_fragment_=/secret"},
	},
	"L31": {
		answers: map[string]answer{
			"http://h/":                       links("#!/a"),
			"http://h/?_escaped_fragment_=/a": {status: 301, location: "/?_escaped_fragment_=/b"},
			"http://h/?_escaped_fragment_=/b": titled("b"),
		},
		indexed: []string{"http://h/", "http://h/#!/b"},
	},
	"L33": {
		answers: map[string]answer{
			"http://h/":                       links("#!/a", "#!/b"),
			"http://h/?_escaped_fragment_=/a": {status: 302, location: "/"},
			"http://h/?_escaped_fragment_=/b": {status: 302, location: "/"},
		},
		want: map[string]string{
			"http://h/#!/a": "redirect: the redirect loses the state", "http://h/#!/b": "redirect: the redirect loses the state",
		},
		indexed: []string{"http://h/"},
	},
	"L34": {
		answers: map[string]answer{
			"http://h/": {status: 301, location: "https://h/"}, "https://h/": links("#!/x"),
			"http://h/?_escaped_fragment_=/a":  {status: 301, location: "https://h/?_escaped_fragment_=/a"},
			"https://h/?_escaped_fragment_=/a": titled("a"), "https://h/?_escaped_fragment_=/x": titled("x"),
		},
		seeds:   []string{"http://h/#!/a"},
		indexed: []string{"https://h/#!/a"},
	},
	"L35": {
		answers: map[string]answer{"http://h/": links("#!/a"), "http://h/?_escaped_fragment_=/a": {body: `<head><link rel=canonical href="http://h/#!/a"></head>a`}},
		want:    map[string]string{"http://h/#!/a": "indexed"},
	},
	"L38": {
		answers: map[string]answer{"http://h/": links("#!/a"), "http://h/?_escaped_fragment_=/a": {body: `<head><link rel=canonical href="#!/a"></head>a`}},
		want:    map[string]string{"http://h/#!/a": "indexed"},
	},
	"L39": {
		answers: map[string]answer{"http://h/robots.txt": disallow("/*_escaped_fragment_=DONOTCRAWL"), "http://h/": links("#!DONOTCRAWLx", "#!ok"), "http://h/?_escaped_fragment_=ok": titled("ok")},
		want:    map[string]string{"http://h/#!DONOTCRAWLx": "robots", "http://h/#!ok": "indexed"},
		never:   []string{"http://h/?_escaped_fragment_=DONOTCRAWLx"},
	},
	"L42": {
		answers: map[string]answer{"http://h/robots.txt": disallow("/app"), "http://h/": links("app#!/a")},
		want:    map[string]string{"http://h/app#!/a": "robots"},
		never:   []string{"http://h/app?_escaped_fragment_=/a", "http://h/app"},
	},
	"L43": {
		// "#" starts a comment, so that the rule is "Disallow: /*" and forbids all.
		answers: map[string]answer{"http://h/robots.txt": disallow("/*#!"), "http://h/": links("#!/a")},
		want:    map[string]string{"http://h/": "robots: robots.txt line 2"},
		never:   []string{"http://h/"},
	},
	"L44": {
		answers: map[string]answer{"http://h/": links("#!/a", "#!/%61"), "http://h/?_escaped_fragment_=/a": titled("a"), "http://h/?_escaped_fragment_=/%2561": titled("61")},
		indexed: []string{"http://h/", "http://h/#!/%61", "http://h/#!/a"},
	},
	"L46": {
		answers: map[string]answer{"http://h/": links("#!a", "#!a/"), "http://h/?_escaped_fragment_=a": titled("a"), "http://h/?_escaped_fragment_=a/": titled("a")},
		indexed: []string{"http://h/", "http://h/#!a", "http://h/#!a/"},
	},
	"L47": {
		answers: map[string]answer{"http://h/x": links("/#!", "/"), "http://h/": optedIn(), "http://h/?_escaped_fragment_=": titled("home")},
		seeds:   []string{"http://h/x"},
		indexed: []string{"http://h/", "http://h/x"},
	},
	"L48": {
		answers: map[string]answer{"http://h/": links("#!/a"), "http://h/?_escaped_fragment_=/a": withHeader(titled("a"), "X-Robots-Tag", "noindex")},
		want:    map[string]string{"http://h/#!/a": "noindex"},
		indexed: []string{"http://h/"},
	},
	"L49": {
		// Nobody asked on a condition, so a 304 says nothing; it is no page.
		answers: map[string]answer{"http://h/": links("#!/a"), "http://h/?_escaped_fragment_=/a": {status: 304}},
		want:    map[string]string{"http://h/#!/a": "failed: http 304"},
	},
	"L50": {
		// Equal titles alone make no shell: the check reports them.
		answers: map[string]answer{
			"http://h/": links("#!/a", "#!/b"), "http://h/?_escaped_fragment_=/a": {body: "<title>t</title>a"},
			"http://h/?_escaped_fragment_=/b": {body: "<title>t</title>b"},
		},
		indexed: []string{"http://h/", "http://h/#!/a", "http://h/#!/b"},
	},
	"L52": {
		answers: map[string]answer{
			"http://h/robots.txt": {body: "User-agent: *\nDisallow: /*?\nAllow: /forum/?_escaped_fragment_="}, "http://h/": links("forum/#!topic/x"),
			"http://h/forum/?_escaped_fragment_=topic/x": titled("x"),
		},
		want: map[string]string{"http://h/forum/#!topic/x": "indexed"},
	},
	"L53": {
		answers: map[string]answer{
			"http://h/robots.txt": {body: "User-agent: *\nAllow: /?_escaped_fragment_\nDisallow: /*?"}, "http://h/": links("#!/user", "?x=1"),
			"http://h/?_escaped_fragment_=/user": titled("user"),
		},
		want: map[string]string{"http://h/#!/user": "indexed", "http://h/?x=1": "robots"},
	},
	"L55": {
		answers: map[string]answer{"http://h/robots.txt": {body: alibaba}, "http://h/": links("?lang=en#!/user")},
		want:    map[string]string{"http://h/?lang=en#!/user": "robots"},
		never:   []string{"http://h/?lang=en&_escaped_fragment_=/user", "http://h/?lang=en"},
	},
	"L56": {
		answers: map[string]answer{"http://h/robots.txt": {body: alibaba}, "http://h/": links("#!/user"), "http://h/?_escaped_fragment_=/user": titled("user")},
		want:    map[string]string{"http://h/#!/user": "indexed"},
	},
	"L57": {
		answers: map[string]answer{"http://h/robots.txt": disallow("/*_escaped_fragment_"), "http://h/": {body: optInTag + "<title>page</title>"}},
		indexed: []string{"http://h/"},
		never:   []string{"http://h/?_escaped_fragment_="},
	},
	"L58": {
		answers: map[string]answer{"http://h/robots.txt": disallow("/*_escaped_fragment*"), "http://h/": links("#!x")},
		want:    map[string]string{"http://h/#!x": "robots"},
		never:   []string{"http://h/?_escaped_fragment_=x"},
	},
	"L59": {
		answers: map[string]answer{"http://h/robots.txt": disallow("/private#c"), "http://h/": links("private/a")},
		want:    map[string]string{"http://h/private/a": "robots"},
		never:   []string{"http://h/private/a"},
	},
	"L60": {
		answers: map[string]answer{"http://h/": titled("shell"), "http://h/?_escaped_fragment_=/a": {status: 502}},
		seeds:   []string{"http://h/#!/a"},
		want:    map[string]string{"http://h/#!/a": "failed: http 502"},
		indexed: []string{},
	},
}

// alibaba are the two rules that matter in the row's robots.txt.
const alibaba = "User-agent: *\nDisallow: /*?\nAllow: /*?_escaped_fragment_"

// utf16le returns ASCII text in UTF-16LE.
func utf16le(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteString(s[i:i+1] + "\x00")
	}
	return b.String()
}

// sitemapOf returns a sitemap with the given entries.
func sitemapOf(locs ...string) answer {
	a := answer{header: http.Header{"Content-Type": {"application/xml"}}, body: "<urlset>"}
	for _, loc := range locs {
		a.body += "<url><loc>" + loc + "</loc></url>"
	}
	a.body += "</urlset>"
	return a
}

// TestCorpusAJAXBehaviour plays the rows of the corpus that tell what a crawl
// does, not what a URL or a tag means; those are in package ajaxscheme.
func TestCorpusAJAXBehaviour(t *testing.T) {
	dir := os.Getenv("HASHCRAWL_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "corpus")
	}
	data, err := os.ReadFile(filepath.Join(dir, "ajaxscheme", "cases.tsv"))
	if err != nil {
		t.Skipf("no corpus: %v", err)
	}
	played := 0
	for line := range strings.Lines(string(data)) {
		f := strings.Split(line, "\t")
		if len(f) < 4 || f[1] != "meta" && f[1] != "link" || strings.HasPrefix(f[2], "<html") || strings.HasPrefix(f[2], "<meta") || strings.HasPrefix(f[2], "doc ") {
			continue
		}
		b, ok := behaviours[f[0]]
		if !ok {
			t.Errorf("%s: %s: nothing plays this row", f[0], f[2])
			continue
		}
		played++
		t.Run(f[0], func(t *testing.T) { synctest.Test(t, b.play) })
	}
	if played != len(behaviours) {
		t.Errorf("%d rows were played, there are %d behaviours", played, len(behaviours))
	}
}

// play crawls the web of a behaviour and checks what came of it.
func (b behaviour) play(t *testing.T) {
	seeds := b.seeds
	if seeds == nil {
		seeds = []string{"http://h/"}
	}
	c := newCrawl(t, b.answers, seeds...)
	c.run(Options{})
	c.wants(b.want)
	if b.indexed != nil {
		c.wantIndexed(b.indexed...)
	}
	for _, url := range b.asked {
		if c.web.count(url) != 1 {
			t.Errorf("%s was requested %d times; want once", url, c.web.count(url))
		}
	}
	for _, url := range b.never {
		if c.web.count(url) > 0 {
			t.Errorf("%s was requested; want never", url)
		}
	}
}

// TestShells has what no row says: how the crawl knows a shell, and what it
// does not take for one.
func TestShells(t *testing.T) {
	shell := func(nonce string) answer {
		return answer{body: "<title>App</title><script>n='" + nonce + "'</script><p>Loading</p>"}
	}
	states := func(pages ...string) map[string]answer {
		m := map[string]answer{}
		for i := 0; i < len(pages); i += 2 {
			m["http://h/"+pages[i]] = titled(pages[i+1])
		}
		return m
	}
	with := func(m map[string]answer, url string, a answer) map[string]answer { m[url] = a; return m }
	for _, tc := range []struct {
		name string
		b    behaviour
	}{
		{
			"the page behind a state is asked for first, and the state not indexed by it",
			behaviour{
				answers: map[string]answer{"http://h/app": shell("1"), "http://h/app?_escaped_fragment_=a": shell("2")},
				seeds:   []string{"http://h/app#!a"}, indexed: []string{}, asked: []string{"http://h/app"},
				want: map[string]string{"http://h/app#!a": "shell: the snapshot is the shell itself"},
			},
		},
		{
			"an empty snapshot is none, a picture is one",
			behaviour{
				answers: map[string]answer{
					"http://h/app":                     {body: optInTag + "<title>App</title><a href='#!a'></a><a href='#!b'></a><a href='#!c'></a>"},
					"http://h/app?_escaped_fragment_=": {}, "http://h/app?_escaped_fragment_=a": {},
					"http://h/app?_escaped_fragment_=b": {body: "<html><head><script>x</script></head><body> </body></html>"},
					"http://h/app?_escaped_fragment_=c": {body: "<body><IMG src=c.png></body>"},
				},
				seeds: []string{"http://h/app"}, indexed: []string{"http://h/app#!c"},
				want: map[string]string{
					"http://h/app":    "shell: the snapshot is empty",
					"http://h/app#!a": "shell: the snapshot is empty", "http://h/app#!b": "shell: the snapshot is empty",
				},
			},
		},
		{
			"its own turn does not ask again, and has header and links",
			behaviour{
				answers: map[string]answer{
					"http://h/x": links("app#!a", "app"), "http://h/app": withHeader(links("more"), "X-Robots-Tag", "noarchive"),
					"http://h/app?_escaped_fragment_=a": titled("a"), "http://h/more": titled("more"),
				},
				seeds: []string{"http://h/x"}, asked: []string{"http://h/app"},
				indexed: []string{"http://h/app", "http://h/app#!a", "http://h/more", "http://h/x"},
			},
		},
		{
			"an opted-in page asked for ahead of its turn gets its snapshot then",
			behaviour{
				answers: map[string]answer{
					"http://h/x": links("app#!a", "app"), "http://h/app": optedIn(),
					"http://h/app?_escaped_fragment_=a": titled("a"), "http://h/app?_escaped_fragment_=": titled("home"),
				},
				seeds: []string{"http://h/x"}, asked: []string{"http://h/app", "http://h/app?_escaped_fragment_="},
				indexed: []string{"http://h/app", "http://h/app#!a", "http://h/x"},
			},
		},
		{
			"a page that nothing links to is not indexed for its states' sake",
			behaviour{
				answers: map[string]answer{"http://h/app": titled("page"), "http://h/app?_escaped_fragment_=a": titled("a")},
				seeds:   []string{"http://h/app#!a"}, indexed: []string{"http://h/app#!a"},
			},
		},
		{
			"robots.txt holds for it",
			behaviour{
				answers: map[string]answer{
					"http://h/robots.txt": {body: "User-agent: *\nDisallow: /app\nAllow: /app?_escaped_fragment_"}, "http://h/app?_escaped_fragment_=a": titled("a"),
				},
				seeds: []string{"http://h/app#!a"}, indexed: []string{"http://h/app#!a"}, never: []string{"http://h/app"},
			},
		},
		{
			"a page behind a state that fails leaves the state to be judged by itself",
			behaviour{
				answers: map[string]answer{"http://h/app": {status: 500}, "http://h/app?_escaped_fragment_=a": titled("a")},
				seeds:   []string{"http://h/app#!a", "http://h/app#!b"}, indexed: []string{"http://h/app#!a"}, asked: []string{"http://h/app"},
			},
		},
		{
			"a page that links to its own states is their shell",
			behaviour{
				answers: map[string]answer{
					"http://h/": {body: `<title>nav</title><a href="#!a">a</a>`}, "http://h/?_escaped_fragment_=a": {body: `<title>nav</title><a href="#!a">a</a>`},
				},
				indexed: []string{"http://h/"}, asked: []string{"http://h/"},
			},
		},
		{
			"the shell of another page of the host is no snapshot either",
			behaviour{
				answers: map[string]answer{
					"http://h/": shell("1"), "http://h/?_escaped_fragment_=a": titled("a"),
					"http://h/b": titled("b"), "http://h/b?_escaped_fragment_=b": shell("2"),
				},
				seeds: []string{"http://h/#!a", "http://h/b#!b"}, indexed: []string{"http://h/#!a"},
				want: map[string]string{"http://h/b#!b": "shell: the snapshot is the shell of another page"},
			},
		},
		{
			"the third state with one snapshot is none",
			behaviour{
				answers: states("?_escaped_fragment_=a", "same", "?_escaped_fragment_=b", "same", "?_escaped_fragment_=c", "same", "?_escaped_fragment_=d", "d", "", "home"),
				seeds:   []string{"http://h/#!a", "http://h/#!b", "http://h/#!c", "http://h/#!d"},
				want:    map[string]string{"http://h/#!c": "shell: the same snapshot as that of other states"},
				indexed: []string{"http://h/#!a", "http://h/#!b", "http://h/#!d"},
			},
		},
		{
			"also if the page's own turn comes between them",
			behaviour{
				answers: states("?_escaped_fragment_=a", "same", "?_escaped_fragment_=b", "same", "?_escaped_fragment_=c", "same", "", "home"),
				seeds:   []string{"http://h/#!a", "http://h/", "http://h/#!b", "http://h/#!c"},
				indexed: []string{"http://h/", "http://h/#!a", "http://h/#!b"},
			},
		},
		{
			"pages of nothing but pictures are compared by their bytes",
			behaviour{
				answers: with(map[string]answer{"http://h/": {body: "<title>Gallery</title>"}}, "http://h/?_escaped_fragment_=1", answer{body: "<title>Gallery</title><img src=1.png>"}),
				seeds:   []string{"http://h/#!1"}, indexed: []string{"http://h/#!1"},
			},
		},
	} {
		t.Run(tc.name, func(t *testing.T) { synctest.Test(t, tc.b.play) })
	}
}

// TestShellIsKnownAfterRestart stops a crawl between the page and its states:
// the page is not asked for again, neither for them nor in its own turn.
func TestShellIsKnownAfterRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrawl(t, map[string]answer{
			"http://h/x": links("app#!a", "app#!b", "app"), "http://h/app": titled("app"),
			"http://h/app?_escaped_fragment_=a": titled("a"), "http://h/app?_escaped_fragment_=b": titled("app"),
		}, "http://h/x")
		c.run(Options{MaxPages: 2})
		time.Sleep(time.Hour)
		c.run(Options{})
		c.wantIndexed("http://h/app", "http://h/app#!a", "http://h/x")
		for _, v := range c.web.log {
			if n := c.web.count(v.url); n != 1 {
				t.Errorf("%s was requested %d times; want once", v.url, n)
			}
		}
	})
}

// TestSharedValidatorsAreNotKept: what the shell or another state has too says
// nothing about a state.
func TestSharedValidatorsAreNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tagged := func(title, etag, modified string) answer {
			a := titled(title)
			a.header = http.Header{"Etag": {etag}, "Last-Modified": {modified}}
			return a
		}
		c := newCrawl(t, map[string]answer{
			"http://h/":                      tagged("shell", `"s"`, "Mon, 30 Nov 2026 08:00:00 GMT"),
			"http://h/?_escaped_fragment_=a": tagged("a", `"s"`, "Mon, 30 Nov 2026 09:00:00 GMT"),
			"http://h/?_escaped_fragment_=b": tagged("b", `"b"`, "Mon, 30 Nov 2026 08:00:00 GMT"),
			"http://h/?_escaped_fragment_=c": tagged("c", `"b"`, "Mon, 30 Nov 2026 10:00:00 GMT"),
			"http://h/?_escaped_fragment_=d": tagged("d", `"d"`, "Mon, 30 Nov 2026 11:00:00 GMT"),
		}, "http://h/#!a", "http://h/#!b", "http://h/#!c")
		c.run(Options{})
		c.settings.AddSeeds([]string{"http://h/#!d"}) // to another run, which knows what the first one found out
		c.run(Options{})
		for url, want := range map[string][2]string{
			"http://h/#!a": {"", "Mon, 30 Nov 2026 09:00:00 GMT"},
			"http://h/#!b": {`"b"`, ""},
			"http://h/#!c": {"", "Mon, 30 Nov 2026 10:00:00 GMT"},
			"http://h/#!d": {"", ""},
		} {
			if r := c.record(url); r.ETag != want[0] || r.Modified != want[1] {
				t.Errorf("%s: recorded are %q and %q; want %q", url, r.ETag, r.Modified, want)
			}
		}
	})
}

// TestRecordTellsOfTheSnapshot: what a snapshot says stands under the pretty URL.
func TestRecordTellsOfTheSnapshot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrawl(t, map[string]answer{
			"http://h/": links("#!a"),
			"http://h/?_escaped_fragment_=a": {body: `<html lang=cs><head><title>A</title><meta name=robots content="noarchive, nosnippet">
				<link rel=canonical href="#!a"><meta property="article:published_time" content="2026-03-01T08:00:00Z"></head>` + strings.Repeat("slovo ", 60_000)},
		}, "http://h/")
		c.settings.StoreText = true
		c.run(Options{})
		r := c.record("http://h/#!a")
		if r.Title != "A" || r.Lang != "cs" || r.Robots != "noarchive, nosnippet" || r.Canonical != "http://h/#!a" ||
			r.Published != "2026-03-01T08:00:00Z" || r.TextHash == 0 {
			t.Errorf("the record is %+v", r)
		}
		if len(r.Text) != maxText || !strings.HasPrefix(r.Text, "slovo slovo") {
			t.Errorf("%d bytes of text are kept, want %d", len(r.Text), maxText)
		}
	})
}
