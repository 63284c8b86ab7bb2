package main

import (
	"io"
	"strings"

	"pacia/config"
	"pacia/internal/ui"
	"pacia/model"
	"pacia/model/methods"
)

// explanation is one call of pacia config --explain.
type explanation struct {
	asked, asJSON, asMarkdown bool
}

func (x explanation) run(out io.Writer, o config.Options, names []string) error {
	all, err := config.Explain(o, names...)
	switch {
	case err != nil:
		return err
	case x.asJSON:
		return ui.JSON(out, all)
	case x.asMarkdown:
		o.Set = append(o.Set, "model.preset="+model.Reference)
		reference, err := config.Explain(o, names...)
		if err != nil {
			return err
		}
		ui.Say(out, "%s", markdown(all, reference))
		return nil
	}
	ui.Say(out, "%s", terminal(all))
	return nil
}

// width of a line in a terminal.
const width = 100

// terminal returns the text for a terminal. Each setting has three lines: name and default;
// meaning; range, environment variable and methods.
func terminal(all []config.Explanation) string {
	var b strings.Builder
	for i, e := range all {
		if i == 0 || e.Section() != all[i-1].Section() {
			b.WriteString(title(e) + "\n\n")
		}
		b.WriteString("  " + e.Name + " = " + quoted(e.Default) + "\n")
		rest := e.Variable
		if e.Range != "" {
			rest = e.Range + " · " + rest
		}
		if e.Methods != nil {
			rest += " · model.method " + strings.Join(e.Methods, " or ")
		}
		for _, o := range e.Others {
			rest += " · " + quoted(o.Default) + " with " + strings.Join(o.Methods, ", ")
		}
		b.WriteString(ui.Wrap(e.Meaning, "      ", width) + ui.Wrap(rest, "      ", width) + "\n")
	}
	return b.String()
}

// title names a section.
func title(e config.Explanation) string {
	if e.Section() == "" {
		return "the run"
	}
	return e.Section() + ": " + e.Group
}

func quoted(value string) string {
	if value == "" {
		return `""`
	}
	return value
}

const markdownHead = "# Settings\n\n" + `<!-- Made by pacia config --explain --markdown; do not edit. -->

All settings of a run, with their defaults. ` + "`pacia config`" + ` prints those in effect, and ` + "`pacia config --explain NAME`" + `
explains a setting or a group as below. Later sources win:

1. the defaults of ` + "`model.preset` and `model.method`" + `;
2. a settings file: ` + "`--preset NAME`" + ` (` + "`pacia config --list`" + ` lists all; several, the later win), then ` + "`--config FILE`" + `, which
   may extend presets by a line ` + "`preset: NAME, NAME`" + `; with neither, the built-in ` + "`config.yaml`" + `, a run of a minute;
3. the environment: ` + "`PACIA_TRAIN_EPISODES`" + ` is ` + "`train.episodes`" + `;
4. ` + "`--set train.episodes=100`" + `.

Where the two presets differ, the default of ` + "`reference`" + ` stands after that of ` + "`paper`" + `. Other defaults of a method are named. A
setting with methods in the last column goes with these alone, and is refused with any other. [methods.md](methods.md)
describes the methods.
`

// markdown returns the reference page of all settings, with the defaults of both presets.
func markdown(paper, reference []config.Explanation) string {
	var b strings.Builder
	b.WriteString(markdownHead)
	for i, e := range paper {
		if i == 0 || e.Section() != paper[i-1].Section() {
			b.WriteString("\n## " + strings.Replace(title(e), e.Section(), "`"+e.Section()+"`", min(1, len(e.Section()))) + "\n\n" +
				"| setting | meaning | range | default | method |\n|---|---|---|---|---|\n")
		}
		value := defaultsText(e, reference[i])
		cells := []string{"`" + e.Name + "`", e.Meaning, e.Range, value, strings.Join(e.Methods, ", ")}
		b.WriteString("| " + strings.ReplaceAll(strings.Join(cells, "\x00"), "|", `\|`) + " |\n")
	}
	return strings.ReplaceAll(b.String(), "\x00", " | ")
}

// defaultsText returns the default of both presets, and those of other methods.
func defaultsText(paper, reference config.Explanation) string {
	of := func(a, b string) string {
		if a == b {
			return "`" + quoted(a) + "`"
		}
		return "`" + quoted(a) + "`, `" + quoted(b) + "`"
	}
	text := of(paper.Default, reference.Default)
	var values []string
	with := map[string][]string{} // methods, by their defaults
	for _, m := range methods.Names() {
		value := of(paper.DefaultWith(m), reference.DefaultWith(m))
		if value == text {
			continue
		}
		if with[value] == nil {
			values = append(values, value)
		}
		with[value] = append(with[value], m)
	}
	for _, v := range values {
		text += "; " + v + " with " + strings.Join(with[v], ", ")
	}
	return text
}
