package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pacia/config"
	"pacia/data/table"
	"pacia/internal/badinput"
	"pacia/internal/ui"
	"pacia/internal/version"
	"pacia/model"
	"pacia/run/rundir"
	"pacia/screen"
	"pacia/screen/ranking"
	"pacia/screen/request"
	"pacia/screen/shards"
)

// sharding is the work of a ranking in parts.
type sharding struct {
	plan  *shards.Plan
	files []*os.File // results of parts, open until the table is written, and locks
}

// checkShards checks the fields of a ranking in parts.
func (p *prediction) checkShards(c *cobra.Command) error {
	if p.Parts == 0 {
		return nil
	}
	switch {
	case p.Engine != "slurm" && c.Flags().Changed("sbatch"):
		return &badinput.Error{What: "--sbatch is an option of --engine slurm", Fix: "leave it out"}
	case p.invalidFile() == "":
		return &badinput.Error{What: "--shards needs a file to write", Fix: "write a name such as --out ranked.csv"}
	case slices.Contains(p.inputs(), table.Stdin):
		return &badinput.Error{What: "the standard input can be read once only", Fix: "write the name of a file where there are --shards"}
	}
	for _, o := range p.SBatch {
		if !strings.HasPrefix(o, "-") || strings.ContainsAny(o, "\n\r") {
			return &badinput.Error{What: "--sbatch " + badinput.Quote(o) + " is not an option of sbatch", Fix: "write one such as --sbatch=--mem=4G"}
		}
	}
	return nil
}

// close closes the results of parts and the locks.
func (s *sharding) close() {
	for _, f := range s.files {
		_ = f.Close() // opened for reading, or a lock
	}
}

// inputs returns the paths of all files to read.
func (p *prediction) inputs() []string {
	return slices.DeleteFunc(slices.Concat(p.files(), p.Checkpoints), func(path string) bool { return path == "" })
}

// rowLimit returns the rows that a part keeps. The page, groups, the picks and the outcome need all rows.
// Table, reasons and report need the first ones after refining, when all refined rows may be behind others.
func (p *prediction) rowLimit() ranking.RowLimit {
	if p.Report != "" || p.Group != "" || p.Diverse > 0 || p.Outcome != "" || p.Top == 0 {
		return ranking.RowLimit{}
	}
	refined := p.Refine
	if refined == screen.Usual {
		refined = screen.MostRefined
	}
	return ranking.RowLimit{Rows: refined + max(p.Top, p.Reasons, named), New: refined + screen.MostExpected}
}

// words returns the command and its flags, sorted by name.
func (p *prediction) words(c *cobra.Command) []string {
	words, parted := []string{"predict"}, map[string]bool{} // flags that a part gets in another way
	for _, field := range request.FieldsOf(&p.Request) {
		parted[field.Name] = field.Same() && field.Name != "top"
	}
	c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Changed || f.Name == "candidates" || parted[f.Name] {
			return
		}
		if several, ok := f.Value.(interface{ GetSlice() []string }); ok {
			for _, v := range several.GetSlice() {
				words = append(words, "--"+f.Name+"="+v)
			}
			return
		}
		words = append(words, "--"+f.Name+"="+f.Value.String())
	})
	for _, file := range p.Library {
		words = append(words, "--candidates="+file)
	}
	return words
}

// asked returns everything that the ranking depends on.
func (p *prediction) asked(c *cobra.Command, r *ranker, m *model.Model, cfg config.Config) (shards.Asked, error) {
	settings := rundir.SettingsOf(cfg).Without("threads").String()
	a := shards.Asked{
		Program: version.Program(), Command: texts(p.words(c)), Settings: fmt.Sprintf("%x", sha256.Sum256([]byte(settings))),
		Shards: p.Parts, Threads: cfg.Threads, Chunk: r.Chunk(m),
	}
	a.Threads = cmp.Or(a.Threads, runtime.GOMAXPROCS(0))
	for _, path := range p.inputs() {
		in, err := shards.InputOf(c.Context(), path, !slices.Contains(p.Library, path))
		if err != nil {
			return a, err
		}
		a.Inputs = append(a.Inputs, in)
	}
	return a, nil
}

// texts replaces each word by its form in a plan.
func texts(words []string) []string {
	for i, w := range words {
		words[i] = shards.Text(w)
	}
	return words
}

// rank ranks the library; r has read the support set.
func (p *prediction) rank(c *cobra.Command, r *ranker, members []*model.Model, cfg config.Config) error {
	if p.Parts == 0 {
		return r.RankTogether(c.Context(), members, cfg.Threads)
	}
	asked, err := p.asked(c, r, members[0], cfg)
	if err != nil {
		return err
	}
	if p.Part >= 0 {
		return p.rankPart(c.Context(), r, members, asked)
	}
	if err := p.rankParts(c, r, asked); err != nil {
		return err
	}
	parts, files, err := p.shards.plan.Gather()
	p.shards.files = append(p.shards.files, files...)
	if err != nil {
		return err
	}
	r.gathered = true
	err = r.Gather(c.Context(), members, cmp.Or(cfg.Threads, runtime.GOMAXPROCS(0)), parts)
	if badinput.Is(err) {
		_ = p.shards.plan.Remove() // the parts are of a library, or of conditions, that must change
	}
	return err
}

func (p *prediction) rankPart(ctx context.Context, r *ranker, members []*model.Model, asked shards.Asked) error {
	dir := shards.Folder(p.Out)
	plan, err := shards.Open(dir)
	if err == nil && (plan == nil || p.Part >= len(plan.Parts)) {
		err = &badinput.Error{File: dir, What: fmt.Sprintf("there is no part %d", p.Part), Fix: "leave --part out"}
	}
	if err != nil {
		return err
	}
	if err := plan.Check(ctx, asked); err != nil {
		return err
	}
	held, err := plan.Hold(ctx, p.Part)
	if err != nil {
		return err
	}
	defer held.Close()
	if plan.Done(p.Part) {
		return nil
	}
	if err := r.Table.Only(plan.Parts[p.Part]); err != nil {
		return err
	}
	if err := r.RankTogether(ctx, members, p.Workers); err != nil {
		return err
	}
	if err := plan.Unchanged(ctx); err != nil { // the inputs, while they were read
		return err
	}
	return plan.Store(p.Part, r.Ranker, p.rowLimit())
}

func (p *prediction) rankParts(c *cobra.Command, r *ranker, asked shards.Asked) error {
	ctx, dir := c.Context(), shards.Folder(p.Out)
	alone, err := shards.Alone(ctx, dir)
	if err != nil {
		return err
	}
	p.shards.files = append(p.shards.files, alone)
	plan, err := shards.Open(dir)
	switch {
	case err != nil:
	case plan != nil:
		err = plan.Check(ctx, asked)
	default:
		var survey *ranking.Survey
		if survey, err = ranking.NewSurvey(ctx, p.Library, p.read(c), asked.Chunk); err != nil {
			_ = shards.RemoveFolder(dir) // it contains only the lock
			return err
		}
		plan, err = shards.New(dir, asked, survey.Cut(asked.Shards))
	}
	if err != nil {
		return err
	}
	p.shards.plan = plan
	todo := plan.Todo()
	if n := len(plan.Parts) - len(todo); n > 0 {
		ui.Say(c.ErrOrStderr(), "%d of %s ranked before\n", n, ui.Count(len(plan.Parts), "part"))
	}
	if len(todo) == 0 {
		return nil
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	command := append([]string{"env", config.Variable("threads") + "=" + strconv.Itoa(plan.Threads), program}, p.words(c)...)
	command = append(command, "--shards", strconv.Itoa(asked.Shards))
	if p.Engine == "slurm" {
		return p.submit(ctx, dir, command, c.ErrOrStderr())
	}
	side := min(asked.Threads, len(todo))
	workers := strconv.Itoa(max(1, asked.Threads/side))
	failed := plan.Run(ctx, todo, side, func(part int) []string {
		return append(slices.Clip(command), "--workers", workers, "--part", strconv.Itoa(part))
	}, func(part int) {
		r.done.Add(int(plan.Parts[part].Rows))
	})
	err = plan.Trouble(failed)
	if badinput.Is(err) && len(plan.Todo()) == len(plan.Parts) {
		_ = plan.Remove() // nothing is lost, and what is wrong can be corrected
	}
	return err
}
