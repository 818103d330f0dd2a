//go:build race

package simulate

// raceEnabled tells that the race detector slows everything down.
const raceEnabled = true
