package date

import (
	"slices"
	"testing"
)

func BenchmarkFind(b *testing.B) {
	for _, bc := range []struct{ name, text string }{
		{"text=no-date", "Casa Blanca: the best films of this era"},
		{"text=no-date-digits", "Nikon D750 24.3 MP, 12 offers from $1099"},
		{"text=no-date-russian", "Новые поступления и лучшие цены"},
		{"text=no-date-chinese", "北京旅游攻略大全最佳路线推荐"},
		{"text=iso", "2014-03-05T16:37:51+01:00"},
		{"text=figures", "05.03.2014"},
		{"text=named", "Posted on March 5, 2014 at 6:11 pm by Ann"},
		{"text=russian", "28 октября 2014 в 07:54"},
		{"text=chinese", "发布于2016年3月20日 21时40分"},
		{"text=ago", "3 hours ago"},
		{"text=yesterday", "Yesterday, 13:20"},
	} {
		b.Run(bc.name, func(b *testing.B) {
			o := Options{Now: testNow}
			b.ReportAllocs()
			b.SetBytes(int64(len(bc.text)))
			for b.Loop() {
				Find(bc.text, o)
			}
		})
	}
}

func BenchmarkColumn(b *testing.B) {
	inOrder := []string{
		"5 Aug", "3 Aug", "1 Aug", "28 Jul", "20 Jul", "17 Jul", "3 Jul", "30 Jun", "12 Jun", "2 Jun",
		"28 May", "27 May", "24 May", "20 May", "15 May", "1 May", "30 Apr", "22 Apr", "17 Apr", "2 Apr",
	}
	for _, bc := range []struct {
		name  string
		texts []string
	}{
		{"rows=in-order", inOrder},
		{"rows=pinned", append([]string{"7 Jan"}, inOrder[1:]...)},
		{"rows=prices", slices.Repeat([]string{"$19.99"}, 20)},
	} {
		b.Run(bc.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Column(bc.texts, Options{Now: testNow})
			}
		})
	}
}
