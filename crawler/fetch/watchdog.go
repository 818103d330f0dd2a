package fetch

import (
	"context"
	"errors"
	"sync"
	"time"
)

var (
	errTotal = errors.New("the fetch took too long")
	errIdle  = errors.New("the body stalled")
)

// A watchdog cancels an exchange that takes too long altogether, or whose body
// stands still. It is one timer, which reading does not touch: when it fires, it
// looks at when the last read ended, and goes to sleep again if that was late
// enough.
type watchdog struct {
	mu     sync.Mutex // guards the rest
	timer  *time.Timer
	cancel context.CancelCauseFunc
	end    time.Time     // of the whole exchange
	idle   time.Duration // 0 before the body
	last   time.Time     // when the body last moved
}

// start gives the exchange total time from now.
func (w *watchdog) start(total time.Duration, cancel context.CancelCauseFunc) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cancel, w.end = cancel, time.Now().Add(total)
	w.timer = time.AfterFunc(total, w.fire)
}

// stop ends the watch. A fire that runs meanwhile cancels what is over anyway.
func (w *watchdog) stop() { w.timer.Stop() }

// watchBody says that the body begins and that it must move every idle.
func (w *watchdog) watchBody(idle time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.idle, w.last = idle, time.Now()
	due, _ := w.due()
	w.timer.Reset(time.Until(due))
}

// moved says that bytes of the body came.
func (w *watchdog) moved() {
	now := time.Now()
	w.mu.Lock()
	w.last = now
	w.mu.Unlock()
}

// due returns when the exchange has to end if nothing more comes, and why.
func (w *watchdog) due() (time.Time, error) {
	if w.idle > 0 {
		if d := w.last.Add(w.idle); d.Before(w.end) {
			return d, errIdle
		}
	}
	return w.end, errTotal
}

func (w *watchdog) fire() {
	w.mu.Lock()
	defer w.mu.Unlock()
	due, cause := w.due()
	if left := time.Until(due); left > 0 {
		w.timer.Reset(left)
		return
	}
	w.cancel(cause)
}
