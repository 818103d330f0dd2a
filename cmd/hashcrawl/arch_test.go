package main_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// module is the import path of the repository.
const module = "github.com/hashcrawl/hashcrawl"

// A room is one package: what its code, tests apart, may import besides the
// standard library. It imports only rooms that stand above it.
type room struct {
	pkg        string   // below module
	ours       []string // packages of ours
	thirdParty []string // import paths, with all below them
	pure       bool     // values in, values out
	allAbove   bool     // every package of ours that stands above
}

// rooms is the table of docs/architecture.md: whoever adds an arrow edits both
// in the same commit.
var rooms = []room{
	{
		pkg: "urlnorm", pure: true,
		thirdParty: []string{"github.com/goccy/go-yaml", "github.com/nlnwa/whatwg-url", "golang.org/x/net/idna", "golang.org/x/text"},
	},
	{pkg: "ajaxscheme", pure: true, ours: []string{"urlnorm"}, thirdParty: []string{"golang.org/x/net/html"}},
	{
		pkg: "crawler/htmldoc", pure: true, ours: []string{"urlnorm", "ajaxscheme"},
		thirdParty: []string{"golang.org/x/net/html", "golang.org/x/text"},
	},
	{pkg: "pagination/date", pure: true},
	{pkg: "pagination/pager", pure: true, ours: []string{"urlnorm", "crawler/htmldoc"}, thirdParty: []string{"golang.org/x/net/html"}},
	{
		pkg: "pagination/pager/labelled", ours: []string{"urlnorm", "crawler/htmldoc", "pagination/pager"},
		thirdParty: []string{"golang.org/x/net/html"},
	},
	{pkg: "pagination/pager/train", ours: []string{"pagination/pager", "pagination/pager/labelled"}},
	{pkg: "pagination", pure: true, ours: []string{"urlnorm", "crawler/htmldoc"}, thirdParty: []string{"golang.org/x/net/html"}},
	{
		pkg: "pagination/listing", pure: true,
		ours:       []string{"urlnorm", "crawler/htmldoc", "pagination", "pagination/pager", "pagination/date"},
		thirdParty: []string{"golang.org/x/net/html", "github.com/andybalholm/cascadia", "github.com/goccy/go-yaml"},
	},
	{pkg: "pagination/simulate", ours: []string{"pagination"}},
	{pkg: "crawler/robots", ours: []string{"urlnorm"}, thirdParty: []string{"github.com/temoto/robotstxt"}},
	{pkg: "crawler/sitemap", ours: []string{"urlnorm"}, thirdParty: []string{"golang.org/x/text"}},
	{pkg: "frontier", ours: []string{"urlnorm"}, thirdParty: []string{"github.com/dchest/siphash"}},
	{pkg: "frontier/storetest", ours: []string{"urlnorm", "frontier"}},
	{
		pkg: "storage", ours: []string{"urlnorm", "pagination", "frontier"},
		thirdParty: []string{"go.etcd.io/bbolt", "github.com/dchest/siphash", "github.com/klauspost/compress"},
	},
	{
		pkg: "crawler/fetch", ours: []string{"urlnorm"},
		thirdParty: []string{
			"github.com/gocolly/colly/v2", "github.com/andybalholm/brotli", "github.com/klauspost/compress", "golang.org/x/net",
		},
	},
	{pkg: "crawler/fetch/faultserver", thirdParty: []string{"github.com/andybalholm/brotli", "github.com/klauspost/compress"}},
	{pkg: "crawler/export", ours: []string{"ajaxscheme", "crawler/sitemap", "frontier", "storage"}},
	{pkg: "crawler", allAbove: true, thirdParty: []string{"github.com/cespare/xxhash/v2", "golang.org/x/net/publicsuffix"}},
	{pkg: "crawler/audit", allAbove: true, thirdParty: []string{"github.com/dchest/siphash", "golang.org/x/net/html"}},
	{pkg: "crawler/render", ours: []string{"crawler/fetch", "crawler/audit"}, thirdParty: []string{"github.com/chromedp/chromedp", "github.com/chromedp/cdproto"}},
	// The demonstration site shares no code with the crawler that it is to test.
	{pkg: "cmd/hashcrawl/demosite", thirdParty: []string{"golang.org/x/text"}},
	{
		pkg: "cmd/hashcrawl", allAbove: true,
		thirdParty: []string{"github.com/goccy/go-yaml", "github.com/lmittmann/tint", "github.com/spf13/cobra", "github.com/spf13/pflag"},
	},
}

// owners names the one room that may import a module, in tests too.
var owners = map[string]string{
	"github.com/gocolly/colly":    "crawler/fetch",
	"github.com/temoto/robotstxt": "crawler/robots",
	"go.etcd.io/bbolt":            "storage",
}

// impure are the packages that a pure room does without; clock are the
// functions of package time that read it or wait for it.
var (
	impure = []string{
		"context", "crypto/rand", "log", "log/slog", "math/rand", "math/rand/v2", "net", "net/http", "os", "os/exec", "syscall",
	}
	clock = []string{"After", "AfterFunc", "NewTicker", "NewTimer", "Now", "Since", "Sleep", "Tick", "Until"}
)

// emptyNames say nothing about what bears them.
var emptyNames = []string{"util", "utils", "common", "helper", "helpers", "base", "manager", "types", "models"}

// A goFile is one parsed file of the repository.
type goFile struct {
	name string // slash-separated, below the repository
	ast  *ast.File
}

func (f goFile) pkg() string  { return path.Dir(f.name) }
func (f goFile) isTest() bool { return strings.HasSuffix(f.name, "_test.go") }

// imports returns the import paths of f with the names they have in f.
func (f goFile) imports() map[string]string {
	out := make(map[string]string)
	for _, spec := range f.ast.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue // unreachable unless the parser let a broken literal through
		}
		name := path.Base(p)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		out[p] = name
	}
	return out
}

// uses returns which of names f takes from the package at importPath, also
// under another name and also as a value.
func (f goFile) uses(importPath string, names ...string) []string {
	local, ok := f.imports()[importPath]
	if !ok {
		return nil
	}
	if local == "." {
		return []string{"a dot import"}
	}
	found := make(map[string]bool)
	ast.Inspect(f.ast, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && slices.Contains(names, sel.Sel.Name) {
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == local {
				found[sel.Sel.Name] = true
			}
		}
		return true
	})
	return slices.Sorted(maps.Keys(found))
}

// A rule returns what breaks it, one line each, led by the place.
type rule func(files []goFile) []string

var rules = map[string]rule{
	"imports":          checkImports,
	"owned modules":    checkOwners,
	"purity":           checkPurity,
	"sleep":            checkSleep,
	"package comments": checkPackageComments,
	"init":             checkInit,
	"empty names":      checkNames,
	"process":          checkProcess,
}

func findRoom(pkg string) (room, int) {
	i := slices.IndexFunc(rooms, func(r room) bool { return r.pkg == pkg })
	if i < 0 {
		return room{}, i
	}
	return rooms[i], i
}

// under reports whether the import path p is prefix or stands below it.
func under(p, prefix string) bool { return p == prefix || strings.HasPrefix(p, prefix+"/") }

// checkImports holds the table of rooms.
func checkImports(files []goFile) []string {
	var out []string
	for _, f := range files {
		if f.isTest() {
			continue
		}
		r, at := findRoom(f.pkg())
		if at < 0 {
			out = append(out, fmt.Sprintf("%s: package %s has no row in the table of rooms", f.name, f.pkg()))
			continue
		}
		for p := range f.imports() {
			if !r.allows(p, at) {
				out = append(out, fmt.Sprintf("%s: %s may not import %s", f.name, r.pkg, p))
			}
		}
	}
	return out
}

// allows reports whether r, which stands at row at, may import p.
func (r room) allows(p string, at int) bool {
	if our, ok := strings.CutPrefix(p, module+"/"); ok {
		_, i := findRoom(our)
		return i >= 0 && i < at && (r.allAbove || slices.Contains(r.ours, our))
	}
	first, _, _ := strings.Cut(p, "/")
	if !strings.Contains(first, ".") {
		return true // the standard library
	}
	return slices.ContainsFunc(r.thirdParty, func(prefix string) bool { return under(p, prefix) })
}

func checkOwners(files []goFile) []string {
	var out []string
	for _, f := range files {
		for p := range f.imports() {
			for owned, owner := range owners {
				if under(p, owned) && f.pkg() != owner {
					out = append(out, fmt.Sprintf("%s: %s belongs to %s alone", f.name, p, owner))
				}
			}
		}
	}
	return out
}

func checkPurity(files []goFile) []string {
	var out []string
	for _, f := range files {
		if r, _ := findRoom(f.pkg()); !r.pure || f.isTest() {
			continue
		}
		for p := range f.imports() {
			if slices.Contains(impure, p) {
				out = append(out, fmt.Sprintf("%s: a pure package imports %s", f.name, p))
			}
		}
		for _, name := range f.uses("time", clock...) {
			out = append(out, fmt.Sprintf("%s: a pure package uses time.%s", f.name, name))
		}
	}
	return out
}

func checkSleep(files []goFile) []string {
	var out []string
	for _, f := range files {
		if !f.isTest() && len(f.uses("time", "Sleep")) > 0 {
			out = append(out, f.name+": time.Sleep cannot be cancelled")
		}
	}
	return out
}

// checkPackageComments asks every package for a comment in the form of
// "Package x …"; a command's may begin as it likes.
func checkPackageComments(files []goFile) []string {
	commented := make(map[string]bool)
	for _, f := range files {
		if f.isTest() {
			continue
		}
		doc, name := f.ast.Doc.Text(), f.ast.Name.Name
		ok := strings.HasPrefix(doc, "Package "+name+" ") || name == "main" && doc != ""
		commented[f.pkg()] = commented[f.pkg()] || ok
	}
	var out []string
	for _, pkg := range slices.Sorted(maps.Keys(commented)) {
		if !commented[pkg] {
			out = append(out, pkg+": no package comment")
		}
	}
	return out
}

func checkInit(files []goFile) []string {
	var out []string
	for _, f := range files {
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				out = append(out, f.name+": func init")
			}
		}
	}
	return out
}

// checkNames looks for names that say nothing. A type may be called Base: that
// is the HTML standard's word for what a page's references are resolved
// against.
func checkNames(files []goFile) []string {
	var out []string
	for _, f := range files {
		stem := strings.TrimSuffix(strings.TrimSuffix(path.Base(f.name), ".go"), "_test")
		for _, name := range []string{stem, f.ast.Name.Name, path.Base(f.pkg())} {
			if slices.Contains(emptyNames, name) {
				out = append(out, fmt.Sprintf("%s: the name %q", f.name, name))
			}
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			t, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if name := strings.ToLower(t.Name.Name); name != "base" && slices.Contains(emptyNames, name) {
				out = append(out, fmt.Sprintf("%s: type %s", f.name, t.Name.Name))
			}
			return true
		})
	}
	return out
}

// checkProcess keeps the environment to cmd and the end of the process to
// main.go.
func checkProcess(files []goFile) []string {
	var out []string
	for _, f := range files {
		if f.isTest() {
			continue
		}
		if !under(f.pkg(), "cmd") {
			for _, name := range f.uses("os", "Environ", "Getenv", "LookupEnv") {
				out = append(out, fmt.Sprintf("%s: os.%s outside cmd", f.name, name))
			}
		}
		if f.ast.Name.Name == "main" && path.Base(f.name) == "main.go" {
			continue
		}
		ends := append(f.uses("os", "Exit"), f.uses("log", "Fatal", "Fatalf", "Fatalln")...)
		for _, name := range ends {
			out = append(out, fmt.Sprintf("%s: %s outside main.go", f.name, name))
		}
	}
	return out
}

// repository parses every Go file of the module.
func repository(t *testing.T) []goFile {
	t.Helper()
	root := filepath.Join("..", "..")
	var files []goFile
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return skipForeign(root, p, d.Name())
		}
		if !strings.HasSuffix(p, ".go") {
			return nil
		}
		src, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		files = append(files, parse(t, filepath.ToSlash(rel), string(src)))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// skipForeign leaves out what the go command leaves out of ./..., and modules
// of their own.
func skipForeign(root, dir, name string) error {
	if dir == root {
		return nil
	}
	if name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
		return filepath.SkipDir
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
		return filepath.SkipDir
	}
	return nil
}

func parse(t *testing.T, name, src string) goFile {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return goFile{name: name, ast: f}
}

func TestRepositoryKeepsItsArchitecture(t *testing.T) {
	files := repository(t)
	if len(files) == 0 {
		t.Fatal("no Go file found")
	}
	for name, check := range rules {
		t.Run(name, func(t *testing.T) {
			violations := check(files)
			slices.Sort(violations)
			for _, v := range violations {
				t.Error(v)
			}
		})
	}
}

func TestRoomsImportUpwardsOnly(t *testing.T) {
	for at, r := range rooms {
		for _, our := range r.ours {
			if _, i := findRoom(our); i < 0 || i >= at {
				t.Errorf("the row of %s lists %s, which has no row above it", r.pkg, our)
			}
		}
	}
}

func TestRulesFindWhatTheyForbid(t *testing.T) {
	for _, tc := range []struct {
		name, rule, file, src string
		want                  int
	}{
		{"arrow that is not in the row", "imports", "urlnorm/a.go", `package urlnorm; import _ "` + module + `/ajaxscheme"`, 1},
		{"arrow in the row", "imports", "ajaxscheme/a.go", `package ajaxscheme; import _ "` + module + `/urlnorm"`, 0},
		{"arrow downwards", "imports", "crawler/a.go", `package crawler; import _ "` + module + `/crawler/audit"`, 1},
		{"everything above", "imports", "crawler/a.go", `package crawler; import _ "` + module + `/storage"`, 0},
		{"foreign module", "imports", "frontier/a.go", `package frontier; import _ "github.com/spf13/cobra"`, 1},
		{"module of the command", "imports", "cmd/hashcrawl/a.go", `package main; import _ "github.com/spf13/cobra"`, 0},
		{"like-named module", "imports", "storage/a.go", `package storage; import _ "go.etcd.io/bboltx"`, 1},
		{"package without a row", "imports", "spool/a.go", `package spool`, 1},
		{"tests import freely", "imports", "urlnorm/a_test.go", `package urlnorm; import _ "github.com/google/go-cmp/cmp"`, 0},
		{"colly elsewhere", "owned modules", "crawler/a.go", `package crawler; import _ "github.com/gocolly/colly/v2"`, 1},
		{"colly's part elsewhere", "owned modules", "crawler/a.go", `package crawler; import _ "github.com/gocolly/colly/v2/debug"`, 1},
		{"bbolt in a test", "owned modules", "crawler/a_test.go", `package crawler; import _ "go.etcd.io/bbolt"`, 1},
		{"temoto at home", "owned modules", "crawler/robots/a.go", `package robots; import _ "github.com/temoto/robotstxt"`, 0},
		{"network in a pure package", "purity", "urlnorm/a.go", `package urlnorm; import _ "net/http"`, 1},
		{"clock in a pure package", "purity", "pagination/a.go", `package pagination; import "time"; var t = time.Now()`, 1},
		{"clock under another name, as a value", "purity", "pagination/a.go", `package pagination; import clock "time"; var f = clock.Since`, 1},
		{"clock by dot import", "purity", "pagination/a.go", `package pagination; import . "time"; var t = Now()`, 1},
		{"time as a value", "purity", "pagination/a.go", `package pagination; import "time"; var d time.Duration`, 0},
		{"clock elsewhere", "purity", "crawler/a.go", `package crawler; import "time"; var t = time.Now()`, 0},
		{"sleep", "sleep", "crawler/a.go", `package crawler; import "time"; func f() { time.Sleep(1) }`, 1},
		{"sleep in a test", "sleep", "crawler/a_test.go", `package crawler; import "time"; func f() { time.Sleep(1) }`, 0},
		{"another Sleep", "sleep", "crawler/a.go", `package crawler; import "time"; type s struct{ Sleep time.Duration }`, 0},
		{"no package comment", "package comments", "crawler/a.go", `package crawler`, 1},
		{"comment on another name", "package comments", "crawler/a.go", "// Package crawl runs.\npackage crawler", 1},
		{"package comment", "package comments", "crawler/a.go", "// Package crawler runs.\npackage crawler", 0},
		{"command comment", "package comments", "cmd/x/a.go", "// Hashcrawl crawls.\npackage main", 0},
		{"only tests", "package comments", "x/a_test.go", `package x`, 0},
		{"init", "init", "crawler/a.go", `package crawler; func init() {}`, 1},
		{"method called init", "init", "crawler/a.go", `package crawler; type t int; func (t) init() {}`, 0},
		{"package of nothing", "empty names", "crawler/util/a.go", `package crawlutil`, 1},
		{"file of nothing", "empty names", "crawler/helpers_test.go", `package crawler`, 1},
		{"type of nothing", "empty names", "crawler/a.go", `package crawler; type Manager struct{}`, 1},
		{"the base of references", "empty names", "urlnorm/a.go", `package urlnorm; type Base struct{}`, 0},
		{"environment", "process", "crawler/a.go", `package crawler; import "os"; var x = os.Getenv("X")`, 1},
		{"environment in cmd", "process", "cmd/hashcrawl/a.go", `package main; import "os"; var x = os.Getenv("X")`, 0},
		{"exit", "process", "cmd/hashcrawl/a.go", `package main; import "os"; func f() { os.Exit(1) }`, 1},
		{"fatal", "process", "crawler/a.go", `package crawler; import "log"; func f() { log.Fatalf("") }`, 1},
		{"exit in main.go", "process", "cmd/hashcrawl/main.go", `package main; import "os"; func f() { os.Exit(1) }`, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := rules[tc.rule]([]goFile{parse(t, tc.file, tc.src)})
			if len(got) != tc.want {
				t.Errorf("rule %q on %s %q = %q, want %d violations", tc.rule, tc.file, tc.src, got, tc.want)
			}
		})
	}
}
