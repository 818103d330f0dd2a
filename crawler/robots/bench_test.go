package robots

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// hostile returns robots.txt files that are as large as is read and made to
// cost as much as they can.
func hostile() map[string]string {
	fill := func(line func(i int) string) string {
		var b strings.Builder
		b.WriteString("User-agent: *\n")
		for i := 0; b.Len() < MaxBytes; i++ {
			b.WriteString(line(i))
		}
		return b.String()
	}
	return map[string]string{
		"stars":       "User-agent: *\nDisallow: /" + strings.Repeat("*", 20_000) + "x$\n",
		"star-a":      "User-agent: *\nDisallow: /" + strings.Repeat("*a", 8_000) + "x$\n",
		"many-stars":  fill(func(int) string { return "Disallow: /" + strings.Repeat("*a", 300) + "x$\n" }),
		"many-rules":  fill(func(i int) string { return fmt.Sprintf("Disallow: /%d\n", i) }),
		"many-agents": fill(func(i int) string { return fmt.Sprintf("User-agent: a%c\n", 'a'+i%26) }),
		"many-groups": fill(func(int) string { return "User-agent: hashcrawl\nDisallow: /\n" }),
		"many-maps":   fill(func(i int) string { return fmt.Sprintf("Sitemap: %d\n", i) }),
		"one-line":    "User-agent: *\nDisallow: /" + strings.Repeat("%2a", MaxBytes/3),
		"newlines":    strings.Repeat("\n", MaxBytes),
		"blanks":      strings.Repeat(" ", MaxBytes),
		"colons":      strings.Repeat(":", MaxBytes),
		"unknown":     fill(func(int) string { return "x:y\n" }),
	}
}

// typical is a robots.txt of common size and content.
func typical(tb testing.TB) []byte {
	tb.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "testdata", "robots", "shop.txt"))
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func BenchmarkParse(b *testing.B) {
	files := hostile()
	files["typical"] = string(typical(b))
	for name, text := range files {
		body := []byte(text)
		b.Run("file="+name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				Parse(body)
			}
		})
	}
}

func BenchmarkRules(b *testing.B) {
	files := hostile()
	files["typical"] = string(typical(b))
	for name, text := range files {
		file := Parse([]byte(text))
		b.Run("file="+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				file.Rules("hashcrawl")
			}
		})
	}
}

func BenchmarkTest(b *testing.B) {
	files := hostile()
	files["typical"] = string(typical(b))
	for name, text := range files {
		rules := Parse([]byte(text)).Rules("hashcrawl")
		for kind, target := range map[string]string{
			"plain":   "/catalogue/shoes/running/42?sort=price&page=2",
			"escaped": "/?_escaped_fragment_=/caf%C3%A9%26x=%7E1",
			"long":    "/" + strings.Repeat("a", 2000),
		} {
			b.Run("file="+name+"/target="+kind, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					rules.Test(target)
				}
			})
		}
	}
}
