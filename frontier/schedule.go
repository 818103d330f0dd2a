package frontier

// A schedule is a 4-ary min-heap of hosts by the time of their next request. A
// host may stand in it several times; only the turn whose stamp is the host's
// counts, so that a host is moved by pushing it again.
type schedule []turn

type turn struct {
	at    int64 // Unix nanoseconds
	stamp uint32
	host  *hostState
}

func (s *schedule) push(t turn) {
	*s = append(*s, t)
	q := *s
	i := len(q) - 1
	for i > 0 {
		parent := (i - 1) / 4
		if q[parent].at <= t.at {
			break
		}
		q[i] = q[parent]
		i = parent
	}
	q[i] = t
}

// pop removes and returns the earliest turn; the schedule must not be empty.
func (s *schedule) pop() turn {
	q := *s
	top, last := q[0], q[len(q)-1]
	q[len(q)-1] = turn{}
	q = q[:len(q)-1]
	*s = q
	if len(q) == 0 {
		return top
	}
	i := 0
	for {
		least, first := -1, 4*i+1
		for c := first; c < min(first+4, len(q)); c++ {
			if least < 0 || q[c].at < q[least].at {
				least = c
			}
		}
		if least < 0 || q[least].at >= last.at {
			break
		}
		q[i] = q[least]
		i = least
	}
	q[i] = last
	return top
}
