package frontier

// WithAwake returns options of a frontier that keeps only so many hosts awake.
func (o Options) WithAwake(hosts int) Options {
	o.awake = hosts
	return o
}

// KeepsAll reports whether the options say nothing of how many hosts are awake.
func (o Options) KeepsAll() bool { return o.awake == 0 }

// Awake returns how many hosts are awake, and checks that count.
func (f *Frontier) Awake() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	f.awakeOnes(func(*hostState) { n++ })
	if n != f.awake {
		panic("frontier: the number of hosts that are awake is wrong")
	}
	return n
}

// The bounds of waiting entries in memory.
const (
	Window     = window
	AllWindows = allWindows
)

// Ahead returns how many waiting entries are in memory, and checks that count. No
// lease must be out.
func (f *Frontier) Ahead() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	f.awakeOnes(func(h *hostState) {
		if h.hostWork != nil {
			for c := range h.ahead {
				n += len(h.ahead[c])
			}
		}
	})
	if n != f.ahead {
		panic("frontier: the number of entries in memory is wrong")
	}
	return n
}
