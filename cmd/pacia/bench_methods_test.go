package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pacia/model/methods"
)

// anyMethod holds settings of a small run that are valid for all methods.
var anyMethod = strings.Replace(small, ", relation: {layers: 2, width: 8}", "", 1)

// TestMethodsAreCompared checks that every method has a line, with a training step if it has
// training, and with its kind of adaptation.
func TestMethodsAreCompared(t *testing.T) {
	seconds(t)
	exampleFolder(t)
	put(t, "any.yaml", anyMethod)
	var c methodCosts
	if err := json.Unmarshal([]byte(ok(t, "bench", "--methods", "--config", "any.yaml", "--steps", "1", "--json")), &c); err != nil {
		t.Fatal(err)
	}
	// 42 molecules, 4 of them in the support set: 38 are ranked.
	if c.Encoder != "gin" || c.Tasks != 2 || c.Queries != 4 || c.Support != 4 || c.Molecules != 38 || c.Repeats != 1 || c.Threads != 1 || c.Device != "cpu" {
		t.Errorf("measured %+v", c)
	}
	var got []string
	for _, m := range c.Methods {
		got = append(got, m.Method)
		spec, err := methods.Find(m.Method)
		if err != nil {
			t.Fatal(err)
		}
		if m.Title != spec.Title || (m.Step == nil) != spec.Traits.Untrained || m.Step != nil && (m.Step.Seconds <= 0 || m.Step.Processor <= 0) ||
			m.Adapt.Seconds <= 0 || m.Rank.Seconds <= 0 {
			t.Errorf("%s: %+v", m.Method, m)
		}
		if tunes := m.GradientSteps > 0; tunes != (spec.Traits.Tunes || slices.Contains(methods.Owners("model.adaptation.steps"), m.Method)) {
			t.Errorf("%s adapts by %d gradient steps", m.Method, m.GradientSteps)
		}
		if m.Method == "maml" && m.Adaptive != m.Parameters || m.Method == "forest" && m.Parameters+m.Adaptive > 0 || m.Adaptive > m.Parameters+2*(12+1) {
			t.Errorf("%s adapts %d of %d parameters", m.Method, m.Adaptive, m.Parameters)
		}
	}
	if !slices.Equal(got, methods.Names()) {
		t.Errorf("measured %v, want %v", got, methods.Names())
	}
}

// TestSomeMethodsAreCompared checks that --methods=… measures the named methods in that order,
// each with its own settings, and that an error names the method.
func TestSomeMethodsAreCompared(t *testing.T) {
	exampleFolder(t)
	put(t, "any.yaml", anyMethod)
	text := ok(t, "bench", "--methods=single,maml", "--config", "any.yaml", "--steps", "1", "--set", "train.finetune.steps=3")
	lines := strings.Split(text, "\n")
	for i, want := range []string{
		`^method .* ranking 38 molecules$`, `^GNN-ST +[\d,]+ +[\d,]+ +3 +– +\d`, `^MAML +([\d,]+) +[\d,]+ +3 +\d\.\d{4} \(`, `^medians of 1 in seconds`,
		`^library, encoder gin, 4 support molecules of each task, 2 tasks a training step with 4 queries each, on cpu with 1 thread$`,
	} {
		if !regexp.MustCompile(want).MatchString(lines[i]) {
			t.Errorf("line %d is %q, want %s", i+1, lines[i], want)
		}
	}
	wantFault(t, "pacia: --set model.adaptation.steps belongs to model.method=maml or metamgnn or par or gsmeta or pintuning, and model.method is siamese; leave it out",
		"bench", "--methods=maml,siamese", "--config", "any.yaml", "--set", "model.adaptation.steps=2")
	wantFault(t, "pacia: --methods and --scaling or --serve are two runs; write one of them", "bench", "--methods", "--scaling")
}
