package ui

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"
)

func TestLogAsText(t *testing.T) {
	var out bytes.Buffer
	l := NewLog(&out)
	all := func() {
		log := slog.New(l)
		log.Debug("opened", "files", 3)
		log.Info("a sentence", "files", 3)
		log.With("file", "a.csv").Warn("cannot be kept", "reason", errors.New("no room"))
		log.Error("it failed", "exit", 2)
		_, _ = fmt.Fprintf(l, "a table\nof two lines\n")
	}
	all()
	want := "a sentence\nwarning: cannot be kept (reason: no room, file: a.csv)\npacia: it failed\na table\nof two lines\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
	out.Reset()
	l.SetLevel(slog.LevelError)
	all()
	if out.String() != "pacia: it failed\n" {
		t.Errorf("with errors alone: got\n%s", out.String())
	}
	out.Reset()
	l.SetLevel(slog.LevelDebug)
	all()
	if !strings.Contains(out.String(), " s] opened (files: 3)\na sentence\n") {
		t.Errorf("with everything: got\n%s", out.String())
	}
}

// records reads a log of JSON objects.
func records(t *testing.T, text string) (all []map[string]any) {
	t.Helper()
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		var r map[string]any
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v in the line %q", err, line)
		}
		if _, err := time.Parse(time.RFC3339, fmt.Sprint(r["time"])); err != nil {
			t.Errorf("%v in the line %q", err, line)
		}
		all = append(all, r)
	}
	return all
}

// A log of JSON writes one object for each line, even if lines are written in parts. Progress
// has its figures.
func TestLogAsJSON(t *testing.T) {
	var out bytes.Buffer
	l := NewLog(&out)
	l.SetFormat(FormatJSON)
	for _, part := range []string{"first ", "line\n\nsecond line\nth", "ird line\n"} {
		Say(l, "%s", part)
	}
	slog.New(l).Warn("cannot be kept", "reason", errors.New("no room"))
	if err := JSON(l, struct{ Figure float64 }{0.5}); err != nil {
		t.Fatal(err)
	}
	d := NewDisplay(&out, l)
	clock := time.Unix(0, 0)
	d.Now = func() time.Time { return clock }
	d.Begin(7)
	clock = clock.Add(every)
	d.Show("episode", 3, 7, func() string { return "loss 0.5" })
	got := records(t, out.String())
	for i, want := range []struct{ level, msg, name, value string }{
		{"INFO", "first line", "", ""}, {"INFO", "second line", "", ""}, {"INFO", "third line", "", ""},
		{"WARN", "cannot be kept", "reason", "no room"},
		{"INFO", "report", "report", "map[Figure:0.5]"},
		{"INFO", "episode 3/7  loss 0.5", "done", "3"},
	} {
		if i >= len(got) {
			t.Fatalf("%d records, want one for %q", len(got), want.msg)
		}
		r := got[i]
		if r["level"] != want.level || r["msg"] != want.msg || want.name != "" && fmt.Sprint(r[want.name]) != want.value {
			t.Errorf("record %d is %v, want %v", i, r, want)
		}
	}
}
