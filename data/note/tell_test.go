package note

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
)

// TestTell checks that a note is logged once for each data set in a context of NotingOnce.
func TestTell(t *testing.T) {
	before := slog.Default()
	defer slog.SetDefault(before)
	var out bytes.Buffer
	slog.SetDefault(slog.New(slog.NewTextHandler(&out, nil)))
	for _, tt := range []struct {
		ctx  context.Context
		want int
	}{
		{t.Context(), 3}, {Once(t.Context()), 2},
	} {
		out.Reset()
		for _, path := range []string{"a.csv", "b.csv", "a.csv"} {
			Tell(tt.ctx, path, []string{"header in row 3"})
		}
		if got := strings.Count(out.String(), "header in row 3"); got != tt.want {
			t.Errorf("%d notes, want %d:\n%s", got, tt.want, out.String())
		}
	}
}
