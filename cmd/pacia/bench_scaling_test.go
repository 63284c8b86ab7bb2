package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestScalingCountsPairs checks the sizes of steps. A query's graph has 2K support
// molecules and the query as nodes, and a task has 4 queries. A task has 36 inactive
// and 6 active molecules: 32 shots still leave 4 queries, 64 leave none.
func TestScalingCountsPairs(t *testing.T) {
	exampleFolder(t)
	var s scaling
	if err := json.Unmarshal([]byte(ok(t, "bench", "--config", "small.yaml", "--scaling", "--steps", "1", "--json")), &s); err != nil {
		t.Fatal(err)
	}
	if len(s.ByTasks) != len(scalingTasks) || len(s.ByShots) != len(scalingShots)-1 {
		t.Fatalf("measured %+v, want shots up to 32", s)
	}
	for i, size := range append(s.ByTasks, s.ByShots...) {
		want := scaled{Shots: 2}
		if i < len(scalingTasks) {
			want.Tasks = scalingTasks[i]
		} else {
			want.Tasks, want.Shots = 1, scalingShots[i-len(scalingTasks)]
		}
		nodes := 2*want.Shots + 1
		if size.Tasks != want.Tasks || size.Shots != want.Shots || size.Molecules != want.Tasks*(2*want.Shots+4) ||
			size.Pairs != want.Tasks*4*nodes*(nodes-1)/2 || size.Step <= 0 || size.Atoms < size.Molecules {
			t.Errorf("%d tasks, %d shots: %+v", want.Tasks, want.Shots, size)
		}
	}
	if text := ok(t, "bench", "--config", "small.yaml", "--scaling", "--steps", "1"); !strings.Contains(text, "16 tasks, 2 shots") {
		t.Errorf("the table lacks its largest step:\n%s", text)
	}
	wantFault(t, "pacia: --scaling and --serve are two runs; write one of them", "bench", "--scaling", "--serve", "x.npz")
	wantFault(t, "pacia: --every 0 is out of range; write 1 or more", "bench", "--serve", "x.npz", "--every", "0")
}
