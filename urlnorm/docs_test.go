package urlnorm

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of rules into docs/urlnorm.md")

const (
	tableBegin = "<!-- rules: written by go test ./urlnorm -run TestDocsListTheRules -update -->\n"
	tableEnd   = "<!-- end of rules -->\n"
)

// TestDocsListTheRules holds the table of docs/urlnorm.md against the code.
func TestDocsListTheRules(t *testing.T) {
	path := filepath.Join("..", "docs", "urlnorm.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok1 := strings.Cut(string(data), tableBegin)
	got, tail, ok2 := strings.Cut(rest, tableEnd)
	if !ok1 || !ok2 {
		t.Fatalf("%s has no place for the table", path)
	}
	want := rulesTable()
	if *update {
		if err := os.WriteFile(path, []byte(head+tableBegin+want+tableEnd+tail), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != want {
		t.Errorf("the table of rules in %s is not that of the code; run with -update", path)
	}
}

func rulesTable() string {
	var b strings.Builder
	b.WriteString("| rule | from profile | what | danger | source |\n|---|---|---|---|---|\n")
	cell := strings.NewReplacer("|", "\\|", "\\", "\\\\", "*", "\\*", "`", "\\`", "<", "&lt;", "{", "\\{").Replace
	for _, r := range Rules() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", r.Name, r.Profile, cell(r.What), cell(r.Danger), r.Source)
	}
	return b.String()
}
