package urlnorm

import (
	"errors"
	"testing"
)

func TestSSURT(t *testing.T) {
	for _, tc := range []struct{ url, want string }{
		{"http://www.a.test/p?q", "test,a,www,//http:/p?q"},
		{"https://u:p@a.test:8443/#!s", "test,a,//8443:https@u:p:/#!s"},
		{"http://10.0.0.1:81/", "10.0.0.1//81:http:/"},
		{"http://[::1]/", "[::1]//http:/"},
		{"http://a.test./", ",test,a,//http:/"},
		{"http://a,b.test/", "test,a%2Cb,//http:/"},
		{"http://h/", "h,//http:/"},
		{"http://h///x://y", "h,//http:///x://y"},
	} {
		got, err := SSURT(tc.url)
		if err != nil || got != tc.want {
			t.Errorf("SSURT(%q) = %q, %v; want %q", tc.url, got, err, tc.want)
		}
		if back, err := FromSSURT(tc.want); err != nil || back != tc.url {
			t.Errorf("FromSSURT(%q) = %q, %v; want %q", tc.want, back, err, tc.url)
		}
	}
	for _, bad := range []string{"", "a", "//", "http://h", "ftp://h/", "http:///", "x://h/"} {
		if s, err := SSURT(bad); !errors.Is(err, ErrSyntax) {
			t.Errorf("SSURT(%q) = %q, %v; want ErrSyntax", bad, s, err)
		}
	}
	for _, bad := range []string{"", "h//http:/", "h,//http:", "h,//ftp:/", "h,//x:http:/", "h,/http:/", "//http:/"} {
		if s, err := FromSSURT(bad); !errors.Is(err, ErrSyntax) {
			t.Errorf("FromSSURT(%q) = %q, %v; want ErrSyntax", bad, s, err)
		}
	}
}
