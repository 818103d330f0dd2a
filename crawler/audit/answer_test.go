package audit

import (
	"net/http"
	"testing"
)

func TestSaidNamesWhatIsNoPage(t *testing.T) {
	for _, tc := range []struct{ contentType, want string }{
		{"application/pdf", "status 401, application/pdf"},
		{"", "status 401, no Content-Type"},
	} {
		a := &answer{status: http.StatusUnauthorized, header: http.Header{"Content-Type": {tc.contentType}}}
		if got := a.said(); got != tc.want {
			t.Errorf("said of Content-Type %q = %q; want %q", tc.contentType, got, tc.want)
		}
	}
}
