package robots

import (
	"strings"
	"testing"
)

// A lifetime is within its bounds whatever the server sends, and the order of
// fields and their split do not matter to it.
func FuzzLifetime(f *testing.F) {
	for _, s := range []string{"", "max-age=3600", "no-store", "public, max-age=\"60\"", "max-age=99999999999999999999", "max-age=-1", ",,=,", "MAX-AGE = 7200 , x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, field string) {
		d := Lifetime([]string{field})
		if d < MinLifetime || d > MaxLifetime {
			t.Errorf("Lifetime(%q) = %v", field, d)
		}
		if split := Lifetime(strings.Split(field, ",")); split != d {
			t.Errorf("Lifetime(%q) = %v, but %v in fields of their own", field, d, split)
		}
	})
}
