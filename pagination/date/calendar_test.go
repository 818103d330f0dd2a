package date

import "testing"

func TestFromSolarHijri(t *testing.T) {
	for _, tc := range []struct{ hijri, want [3]int }{
		{[3]int{1342, 1, 1}, [3]int{1963, 3, 21}},
		{[3]int{1375, 12, 30}, [3]int{1997, 3, 20}}, // a leap day
		{[3]int{1393, 6, 31}, [3]int{2014, 9, 22}},
		{[3]int{1393, 7, 1}, [3]int{2014, 9, 23}},
		{[3]int{1393, 8, 1}, [3]int{2014, 10, 23}},
		{[3]int{1395, 1, 1}, [3]int{2016, 3, 20}},
		{[3]int{1399, 12, 30}, [3]int{2021, 3, 20}}, // a leap day
		{[3]int{1400, 1, 1}, [3]int{2021, 3, 21}},
		{[3]int{1403, 12, 30}, [3]int{2025, 3, 20}}, // a leap day
	} {
		y, m, d := fromSolarHijri(tc.hijri[0], tc.hijri[1], tc.hijri[2])
		if got := [3]int{y, m, d}; got != tc.want {
			t.Errorf("fromSolarHijri(%v) = %v, want %v", tc.hijri, got, tc.want)
		}
	}
}
