package train

import (
	"testing"

	"pacia/data/source"
)

// TestARunThatBeganWithOtherRows: a run keeps its data.molecules and data.repeats if the settings
// leave them open. A config.yaml older than these settings is read as "drawn" and "keep".
func TestARunThatBeganWithOtherRows(t *testing.T) {
	c, dir := assaysConfig(t), t.TempDir()
	c.Data.Molecules, c.Data.Repeats = source.RowsDrawn, source.RowsKeep
	c.Train.Episodes = 4
	_, _ = trainFake(t, c, dir, false)
	c.Train.Episodes = 8
	c.Data.Molecules, c.Data.Repeats = "", ""
	again, _ := trainFake(t, c, dir, true)
	if again.start.Episode != 4 || again.start.Molecules != 220 {
		t.Errorf("resumed at episode %d with %d molecules, want 4, with each row's", again.start.Episode, again.start.Molecules)
	}
	c.Train.Episodes, c.Data.Repeats = 12, source.RowsMerge
	if _, err := runWith(t.Context(), newFake, c, dir, true, &recorder{}); err == nil || !contains(err, "data.repeats=keep") {
		t.Errorf("with other rows: %v, want a refusal", err)
	}
}
