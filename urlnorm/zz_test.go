package urlnorm
import ("testing";"strings")
func TestZZ(t *testing.T){
	ns := []*Normalizer{mustNew(t,Config{Profile:"strict"}),mustNew(t,Config{}),mustNew(t,Config{Profile:"aggressive"}),mustNew(t,Config{AJAXOff:true,Rules:[]string{"-fragment"}})}
	agree, tot := 0,0
	for _, r := range corpusRows(t, "normalize-cases.tsv") {
		if r[6+1-0-0-0] == "Y" { continue }
		prof := r[4]
		if strings.HasPrefix(prof,"urlcanon.path_dots") || strings.HasPrefix(prof,"whatwg") || strings.Contains(prof,"surt") || strings.Contains(prof,"everse")||strings.Contains(prof,"ipv4-host") { continue }
		tot++
		var got []string
		ok := false
		for _, n := range ns {
			b, err := n.baseOrNone(r[2])
			u, err2 := n.Resolve(b, r[1], Charset{})
			if err==nil {err=err2}
			if err != nil { got = append(got, "ERR "+err.Error()); if r[3]=="FAIL" || r[3]=="" {ok=true}; continue }
			got = append(got, u.Fetch, u.Key)
			if u.Key == r[3] || u.Fetch==r[3] || u.Display==r[3] {ok=true}
		}
		if ok {agree++; continue}
		t.Logf("%s %s\n   in   %q %q\n   want %q\n   got  %q", r[0], prof, r[2], r[1], r[3], got[:min(len(got),6)])
	}
	t.Log(agree, tot)
}
