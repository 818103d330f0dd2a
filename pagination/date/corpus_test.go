package date

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// corpusRow is one row of corpus/pagination/dates.
type corpusRow struct {
	Test     string          `json:"test"`
	Text     json.RawMessage `json:"date_string"`
	Ago      map[string]float64
	InFuture map[string]float64 `json:"in_future"`
	Expected struct{ Datetime []int }
	Date     struct{ Date []int }
	Time     struct{ Time []int }
	Message  string
}

// want returns the instant that the row expects, or false if it expects none.
func (row corpusRow) want(now time.Time) (at time.Time, ok bool) {
	shift := func(m map[string]float64, sign float64) time.Time {
		t := now.AddDate(int(sign*m["years"]), int(sign*m["months"]), 0)
		seconds := m["weeks"]*7*86400 + m["days"]*86400 + m["hours"]*3600 + m["minutes"]*60 + m["seconds"]
		return t.Add(time.Duration(sign*seconds) * time.Second)
	}
	clock := func(v []int) time.Time {
		v = append(v, 0, 0, 0, 0)
		return time.Date(v[0], time.Month(v[1]), v[2], v[3], v[4], v[5], v[6]*1000, time.UTC)
	}
	switch {
	case row.Ago != nil:
		return shift(row.Ago, -1), true
	case row.InFuture != nil:
		return shift(row.InFuture, 1), true
	case row.Expected.Datetime != nil:
		return clock(row.Expected.Datetime), true
	case row.Date.Date != nil:
		return clock(append(append([]int{}, row.Date.Date...), row.Time.Time...)), true
	}
	return time.Time{}, false
}

// corpusNow is the base that the rows of a test assume.
func corpusNow(test string) time.Time {
	switch test {
	case "test_freshness_date_with_relative_base":
		return time.Date(2010, 6, 4, 13, 15, 0, 0, time.UTC)
	case "test_preferably_past_dates":
		return time.Date(2015, 2, 15, 15, 30, 0, 0, time.UTC)
	case "test_dates_parsing", "test_dates_parsing_with_normalization":
		return time.Date(2012, 11, 13, 15, 0, 0, 0, time.UTC)
	}
	return time.Date(2014, 9, 1, 10, 30, 0, 0, time.UTC)
}

func corpusRows(t *testing.T) []corpusRow {
	t.Helper()
	dir := os.Getenv("HASHCRAWL_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "corpus")
	}
	f, err := os.Open(filepath.Join(dir, "pagination", "dates", "dateparser_cases.jsonl"))
	if err != nil {
		t.Skip("the corpus is not here: ", err)
	}
	defer f.Close()
	var rows []corpusRow
	for in := bufio.NewScanner(f); in.Scan(); {
		var row corpusRow
		if err := json.Unmarshal(in.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}

// outOfScope returns a function that says why a string is beyond this package,
// or "".
func outOfScope(t *testing.T) func(text string) string {
	type mark struct{ part, why string }
	var marks []mark
	readLines(t, "out-of-scope.tsv", func(_ int, line string) {
		part, why, _ := strings.Cut(line, "\t")
		marks = append(marks, mark{part, why})
	})
	return func(text string) string {
		for _, m := range marks {
			whole, exact := strings.CutPrefix(m.part, "=")
			if exact && text == whole || !exact && strings.Contains(text, m.part) {
				return m.why
			}
		}
		return ""
	}
}

// TestCorpus holds the share of the corpus that is read right, apart from the
// rows that are out of scope; the log has the rest.
func TestCorpus(t *testing.T) {
	const wantPercent = 98
	beyond := outOfScope(t)
	right, all := 0, 0
	out := make(map[string]int)
	for _, row := range corpusRows(t) {
		var text string
		if json.Unmarshal(row.Text, &text) != nil {
			out["expression of the test program"]++
			continue
		}
		if why := beyond(text); why != "" {
			out[why]++
			continue
		}
		all++
		now := corpusNow(row.Test)
		want, ok := row.want(now)
		got, found := First(text, Options{Now: now})
		if ok == found && (!ok || !want.Before(got.From) && want.Before(got.To)) {
			right++
			continue
		}
		t.Logf("%s: First(%q) = [%v, %v), %v, want %v, %v", row.Test, text, got.From, got.To, found, want, ok)
	}
	t.Logf("%d of %d rows in scope are right; out of scope: %v", right, all, out)
	if right*100 < all*wantPercent {
		t.Errorf("%d of %d rows are right, want %d percent", right, all, wantPercent)
	}
}
