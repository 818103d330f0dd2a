package date

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// testdata is the folder of this package's tables at the top of the repository.
var testdata = filepath.Join("..", "..", "testdata", "pagination", "dates")

var testNow = time.Date(2014, 9, 1, 10, 30, 0, 0, time.UTC)

// readLines calls do for every line of a table that is no comment.
func readLines(t testing.TB, name string, do func(n int, line string)) {
	t.Helper()
	f, err := os.Open(filepath.Join(testdata, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	for n := 1; in.Scan(); n++ {
		if line := in.Text(); line != "" && !strings.HasPrefix(line, "# ") {
			do(n, line)
		}
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
}

func TestFindReadsNoDateFromOtherNumbers(t *testing.T) {
	kind := ""
	readLines(t, "negatives.txt", func(n int, line string) {
		if k, ok := strings.CutPrefix(line, "## "); ok {
			kind = k
			return
		}
		for _, text := range []string{line, "Item " + line + " here"} {
			for _, lang := range []string{"", "de", "ja"} {
				if got := Find(text, Options{Now: testNow, Lang: lang}); len(got) != 0 {
					t.Errorf("negatives.txt:%d (%s): Find(%q, lang %q) = %q %v, want no date", n, kind, text, lang, got[0].Text, got[0].From)
				}
			}
		}
	})
}
