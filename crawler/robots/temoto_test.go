package robots

import (
	"strings"
	"testing"

	"github.com/temoto/robotstxt"
)

// temotoAllows is the answer of temoto to a whole file, and whether it has
// one: a line that it does not like loses it the file.
func temotoAllows(body, target, agent string) (allowed, ok bool) {
	data, err := robotstxt.FromString(body)
	if err != nil {
		return false, false
	}
	return data.TestAgent(target, agent), true
}

// TestWhereTemotoDiffers documents why only literal rules are put to temoto.
// Each row is an answer of v1.1.2 that the source named contradicts. A row
// that fails because temoto has changed its answer is good news.
func TestWhereTemotoDiffers(t *testing.T) {
	for _, tc := range []struct {
		why, body, target string
		want              bool
	}{
		{"wildcards are not anchored [RFC9309 §2.2.3]", "User-agent: *\nDisallow: /a*b\n", "/x/a1b", true},
		{"an end mark takes the anchor away", "User-agent: *\nDisallow: /fish$\n", "/x/fish", true},
		{"'$' inside a rule is an end mark [RFC9309 §2.2.3]", "User-agent: *\nDisallow: /a$b\n", "/a$b", false},
		{"a rule with wildcards is as long as its regexp", "User-agent: *\nAllow: /a.b.c.d\nDisallow: /*b.c.d\n", "/a.b.c.d", true},
		{"a trailing star does not count [RFC9309 §2.2.2]", "User-agent: *\nDisallow: /p\nAllow: /p*\n", "/page", true},
		{"of two as long the first wins [RFC9309 §2.2.2]", "User-agent: *\nDisallow: /x\nAllow: /x\n", "/x", true},
		{"a prefix of our name is ours [RFC9309 §2.2.1]", "User-agent: hash\nDisallow: /\n", "/x", true},
		{"a version in a User-agent line hides it [RFC9309 §2.2.1]", "User-agent: hashcrawl/1.0\nDisallow: /\n", "/x", false},
		{"misspellings are unknown [G-ROBOTS-CC]", "User-agent: *\nDisalow: /x\n", "/x", false},
		{"a missing slash is put in [G-ROBOTS-CC]", "User-agent: *\nDisallow: x\n", "/x", true},
		{"escapes are compared as written [RFC9309 §2.2.2]", "User-agent: *\nDisallow: /%7euser\n", "/~user", false},
		{"letters beyond ASCII are not escaped [RFC9309 §2.2.2]", "User-agent: *\nDisallow: /é\n", "/%C3%A9", false},
		{"a comment needs a blank before it [RFC9309 §2.2]", "User-agent: *\nDisallow: /private#c\n", "/private/a", false},
		{"a NUL is text", "User-agent: *\nDisallow: /a\x00b\n", "/a", false},
	} {
		t.Run(tc.why, func(t *testing.T) {
			if got := Parse([]byte(tc.body)).Rules("hashcrawl").Test(tc.target); got.Allowed != tc.want {
				t.Errorf("ours: %+v, want %v\n%s", got, tc.want, tc.body)
			}
			if got, ok := temotoAllows(tc.body, tc.target, "hashcrawl"); ok && got == tc.want {
				t.Errorf("temoto agrees now: Test(%q) = %v\n%s", tc.target, got, tc.body)
			}
		})
	}
}

// TestWhatLosesTemotoTheFile documents lines for which temoto reads nothing
// of the file.
func TestWhatLosesTemotoTheFile(t *testing.T) {
	const rest = "User-agent: *\nDisallow: /a\n"
	for _, line := range []string{"Disallow: /", "Crawl-delay: 10", "User-agent: x\nCrawl-delay: 10s", "User-agent: x\nCrawl-delay: -1", "User-agent: x\nCrawl-delay: 1,5"} {
		body := line + "\n" + rest
		if _, ok := temotoAllows(body, "/a", "hashcrawl"); ok {
			t.Errorf("temoto reads it now:\n%s", body)
		}
		if v := Parse([]byte(body)).Rules("hashcrawl").Test("/a"); v.Allowed {
			t.Errorf("ours: %+v\n%s", v, body)
		}
	}
}

// TestTemotoMatchesLiterals holds what temoto is asked for: whether a target
// as sent begins with a rule, for all short words over bytes that mean
// something to it or to us.
func TestTemotoMatchesLiterals(t *testing.T) {
	words := words("/a.%*$#?:\\(+ \x00é", 3)
	asked := 0
	for _, rule := range words {
		var p pattern
		p, _ = compilePattern("/" + rule)
		p.askTemoto()
		if p.literal == nil {
			continue
		}
		asked++
		for _, target := range words {
			target = "/" + target
			if !temotoReads(target) {
				continue
			}
			if got, want := !p.literal.Test(target), strings.HasPrefix(target, string(p.text)); got != want {
				t.Fatalf("temoto: %q matches %q: %v, want %v", p.text, target, got, want)
			}
			if got := p.matches([]byte(target)); got != !p.literal.Test(target) {
				t.Fatalf("%q matches %q: ours %v", p.text, target, got)
			}
		}
	}
	if asked < 100 {
		t.Errorf("temoto was asked for %d rules only", asked)
	}
}

// words returns all strings of up to n of the runes of alphabet.
func words(alphabet string, n int) []string {
	all := []string{""}
	for from := 0; n > 0; n-- {
		to := len(all)
		for _, w := range all[from:to] {
			for _, r := range alphabet {
				all = append(all, w+string(r))
			}
		}
		from = to
	}
	return all
}

// TestMatchesIsTheDefinition compares the matcher with the plain definition
// of wildcards on all short patterns and targets.
func TestMatchesIsTheDefinition(t *testing.T) {
	targets := words("/ab", 5)
	for _, path := range words("/a*$", 5) {
		p, _ := compilePattern(path)
		for _, target := range targets {
			if got, want := p.matches([]byte(target)), defined(path, target); got != want {
				t.Fatalf("%q matches %q: %v, want %v", path, target, got, want)
			}
		}
	}
}

// defined reports whether pattern matches target, as [RFC9309 §2.2.3] puts it.
func defined(pattern, target string) bool {
	switch {
	case pattern == "":
		return true
	case pattern == "$":
		return target == ""
	case pattern[0] == '*':
		return defined(pattern[1:], target) || target != "" && defined(pattern, target[1:])
	}
	return target != "" && pattern[0] == target[0] && defined(pattern[1:], target[1:])
}

// TestTemotoAgreesOnRealFilesOfTheCorpus is where both read a file rightly.
func TestTemotoAgreesOnRealFilesOfTheCorpus(t *testing.T) {
	for _, site := range []string{"groups.google.com", "sourceforge.net", "twitter.com", "www.alibaba.com", "www.eyebuydirect.com", "www.lg.com", "www.lookfantastic.com", "www.myprotein.com", "www.newlook.com", "www.timeanddate.com"} {
		body := corpusFile(t, "real/"+site+".txt")
		file := Parse(body)
		for _, agent := range []string{"hashcrawl", "Googlebot"} {
			rules := file.Rules(agent)
			for _, target := range []string{"/", "/a", "/?x=1", "/?_escaped_fragment_=", "/?_escaped_fragment_=/a", "/a?_escaped_fragment_=k=v", "/a?x=1&_escaped_fragment_=k", "/search?q=x", "/forum/?_escaped_fragment_=topic/x"} {
				theirs, ok := temotoAllows(string(body), target, agent)
				if ours := rules.Test(target); ok && ours.Allowed != theirs {
					t.Errorf("%s, %s: Test(%q) = %+v, temoto says %v", site, agent, target, ours, theirs)
				}
			}
		}
	}
}
