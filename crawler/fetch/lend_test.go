package fetch

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestLentBodiesGoBack holds that a lent body is whole until it is released,
// also while others are fetched, and that a body that was not lent is never
// overwritten.
func TestLentBodiesGoBack(t *testing.T) {
	body := func(path string) []byte { return bytes.Repeat([]byte(path), 9000) } // larger than a buffer at first
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write(body(r.URL.Path)) }))
	defer s.Close()
	c := newTestClient(t, Options{})
	fetch := func(path string, lend bool) *Response {
		t.Helper()
		r, err := c.Fetch(t.Context(), Request{URL: s.URL + path, Lend: lend})
		if err != nil || !bytes.Equal(r.Body, body(path)) {
			t.Fatalf("Fetch(%q): error %v, or not its body", path, err)
		}
		return r
	}
	owned, held := fetch("/owned", false), fetch("/held", true)
	for range 10 {
		r := fetch("/other", true)
		r.Release()
		if r.Body != nil {
			t.Error("a released body is still there")
		}
		r.Release() // gives nothing back twice
	}
	if !bytes.Equal(owned.Body, body("/owned")) || !bytes.Equal(held.Body, body("/held")) {
		t.Error("a body was overwritten")
	}
}
