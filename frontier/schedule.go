package frontier

import "time"

// A schedule is a 4-ary min-heap of hosts by the time of their next request. A
// host may stand in it several times; only the turn whose stamp is the host's
// counts, so that a host is moved by pushing it again.
type schedule []turn

type turn struct {
	at    time.Duration // on the frontier's clock
	stamp uint64        // rises with every turn given; 0 is none
	host  HostID
}

// before orders turns by time, and those of one time by who got his first.
func (t *turn) before(u *turn) bool {
	return t.at < u.at || t.at == u.at && t.stamp < u.stamp
}

func (s *schedule) push(t turn) {
	*s = append(*s, t)
	q := *s
	i := len(q) - 1
	for i > 0 {
		parent := (i - 1) / 4
		if q[parent].before(&t) {
			break
		}
		q[i] = q[parent]
		i = parent
	}
	q[i] = t
}

// dropStale removes turns that no longer count from the front.
func (s *schedule) dropStale(stale func(*turn) bool) {
	for len(*s) > 0 && stale(&(*s)[0]) {
		s.pop()
	}
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
		first := 4*i + 1
		if first >= len(q) {
			break
		}
		least := first
		for c := first + 1; c < min(first+4, len(q)); c++ {
			if q[c].before(&q[least]) {
				least = c
			}
		}
		if last.before(&q[least]) {
			break
		}
		q[i] = q[least]
		i = least
	}
	q[i] = last
	return top
}
