package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pacia/internal/badinput"
	"pacia/run/rundir"
)

// Names are texts in place of others: for settings of configurations (train.learning_rate=0.0005) and titles of methods,
// in tables and figures; for settings on axes (train.learning_rate) and for tasks, in figures.
type Names map[string]string

// of returns the text for s, which is s without another.
func (n Names) of(s string) string { return cmp.Or(n[s], s) }

// setting returns the text for a setting with its value, which may have a name as a whole or by its setting.
func (n Names) setting(v rundir.Setting) string {
	return cmp.Or(n[v.String()], n.of(v.Name)+"="+v.Value)
}

// ParseNames reads names of the form OLD=NEW, where OLD may contain the sign =.
func ParseNames(texts []string) (Names, error) {
	names, used := Names{}, map[string]bool{}
	for _, text := range texts {
		at := strings.LastIndex(text, "=")
		if at <= 0 || strings.TrimSpace(text[at+1:]) == "" {
			return nil, &badinput.Error{What: "--label " + badinput.Quote(text) + " is not of the form OLD=NEW",
				Fix: `write one such as "train.learning_rate=0.0005=rate 5e-4"`}
		}
		was, name := text[:at], strings.TrimSpace(text[at+1:])
		if names[was] != "" || used[name] {
			return nil, &badinput.Error{What: "--label " + badinput.Quote(text) + " repeats a name of another --label", Fix: "write each name once"}
		}
		names[was], used[name] = name, true
	}
	return names, nil
}

// Rename writes names in place of texts of the report. It returns a *badinput.Error for a text that the report does not
// have. It is called before Draw.
func (r *Report) Rename(names Names) error {
	known := r.texted()
	for was := range names {
		if known[was] {
			continue
		}
		fix := "write a setting in which configurations differ, with its value as tables show it or without, a method or a test task"
		if near := badinput.Nearest(was, slices.Sorted(maps.Keys(known))); near != "" {
			fix = "did you mean " + badinput.Quote(near) + "?"
		}
		return &badinput.Error{What: fmt.Sprintf("--label: nothing in the report is called %s", badinput.Quote(was)), Fix: fix}
	}
	r.names = names
	for i := range r.Sections {
		r.Sections[i].describe(names)
	}
	return nil
}

// texted returns the texts of the report for which there may be names.
func (r *Report) texted() map[string]bool {
	known := map[string]bool{}
	var all []Group
	for _, s := range r.Sections {
		all = append(all, s.Groups...)
	}
	settings, _ := differing(all)
	for _, g := range all {
		known[titleOf(g.settings().Get(methodSetting))] = true
		for _, name := range settings {
			known[name] = true
		}
		for _, v := range g.settings() {
			if known[v.Name] {
				known[v.String()] = true
			}
		}
		for _, t := range g.Tasks {
			known[t.Name] = true
		}
	}
	return known
}
