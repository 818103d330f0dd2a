package simulate

import (
	"strings"
	"testing"
)

func TestSimulationReachesItsTargets(t *testing.T) {
	var rows []Row
	for _, sc := range Scenarios() {
		ours := Seeds(sc, 20, 150, func(sc Scenario) Walker { return NewSeriesWalker(sc) })
		literal := Seeds(sc, 20, 150, func(Scenario) Walker { return new(LiteralWalker) })
		rows = append(rows, Row{sc.Name, ours, literal})
	}
	var b strings.Builder
	if err := WriteTable(&b, rows); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + b.String())
}
