package main

import (
	"bufio"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pacia/config"
	"pacia/data/table"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/model"
	"pacia/run/checkpoint"
	"pacia/screen"
	"pacia/screen/ranking"
)

const scoreHelp = `Score molecules for another program, by the labelled molecules of a support file.

The standard input has a SMILES on each line. The standard output gets one line of JSON, as REINVENT 4
reads it from its component ExternalProcess: the probability of being active of each line, in their order.

  {"version": 1, "payload": {"predictions": [0.812402, NaN, 0.101376]}}

NaN stands for a line that is not a molecule.

--server sends them to a running pacia serve, so that no call has to load the model.`

// longestScored is the longest line of the standard input, in bytes.
const longestScored = 1 << 20

func newScore() *cobra.Command {
	p := prediction{candidates: []string{table.Stdin}, out: stdout, onInvalid: "skip"}
	var server string
	c := &cobra.Command{
		Use:   "score",
		Short: "Score SMILES of the standard input for another program, such as REINVENT 4",
		Long:  scoreHelp,
		Example: "  printf 'CCO\\nCCN\\n' | pacia score --support measured.csv\n" +
			"  pacia score --support measured.csv --server http://127.0.0.1:8417 < molecules.smi   # by a running pacia serve",
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			defer leaveWhenAsked()()
			p.shards.part = -1
			if err := p.check(c); err != nil {
				return err
			}
			return p.score(c, server)
		},
	}
	p.scoring(c)
	c.Flags().StringVar(&p.share, "prior", "", "the `SHARE` of actives expected among the molecules, such as 0.02 or 2% (default that of the support file)")
	c.Flags().StringVar(&server, "server", "", "`ADDRESS` of a pacia serve that scores, such as http://127.0.0.1:8417")
	return c
}

// score prints the probability of each line of the standard input.
func (p *prediction) score(c *cobra.Command, server string) error {
	rows, n, err := numbered(c.InOrStdin())
	if err != nil {
		return err
	}
	probabilities := make([]float64, n)
	for i := range probabilities {
		probabilities[i] = math.NaN()
	}
	if server != "" {
		err = p.scoreAt(c, server, rows, probabilities)
	} else {
		err = p.scoreHere(c, rows, probabilities)
	}
	if err != nil {
		return err
	}
	return writePredictions(c.OutOrStdout(), probabilities)
}

// scoreHere scores the rows of a table that numbered made, and sets probabilities[line].
func (p *prediction) scoreHere(c *cobra.Command, rows string, probabilities []float64) error {
	s, err := p.readSupport(c, p.support)
	if err != nil {
		return err
	}
	o := p.read(c)
	o.Options = table.Options{SMILES: scoredColumn}
	o.Stdin, o.Elsewhere = strings.NewReader(rows), false
	r, err := p.newRanker(c, s, o, io.Discard)
	if err != nil {
		return err
	}
	defer r.Close()
	err = p.withModels(func(members []*model.Model, _ checkpoint.Meta, cfg config.Config) error {
		if err := p.learnt(c.Context(), r, members, cfg); err != nil {
			return err
		}
		return p.rank(c, r, members, cfg)
	})
	if err != nil {
		return err
	}
	shown := screen.Shown(s, p.prior)
	return r.Spill.Each(func(row ranking.Ranked) error {
		cells, err := ranking.CellsOf(row)
		if err != nil {
			return err
		}
		line, err := strconv.Atoi(cells[1])
		if err == nil {
			probabilities[line] = shown(row.Probability)
		}
		return err
	})
}

// Columns of the table that numbered makes.
const scoredColumn, lineColumn = "smiles", "line"

// numbered makes a CSV table of the n lines of a text, with the first word of each line and its
// number, from 0. Empty lines have no row, and neither has a header such as "SMILES Name", which would be taken for
// that of the table; no SMILES contains the letters smi.
func numbered(text io.Reader) (rows string, n int, err error) {
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write([]string{scoredColumn, lineColumn}) // a Builder returns no errors
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, longestScored)
	for ; lines.Scan(); n++ {
		if words := strings.Fields(lines.Text()); len(words) > 0 && !strings.Contains(strings.ToLower(words[0]), "smi") {
			_ = w.Write([]string{words[0], strconv.Itoa(n)})
		}
	}
	w.Flush()
	if err := lines.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			return "", 0, badinput.Newf("line %d of the standard input is longer than 1 MB: write a SMILES on each line", n+1)
		}
		return "", 0, err
	}
	return b.String(), n, nil
}

// writePredictions writes the probabilities in the form that REINVENT 4 reads. Python's reader accepts
// NaN, which is not valid JSON.
func writePredictions(w io.Writer, probabilities []float64) error {
	numbers := each.Of(probabilities, func(p float64) string { return strconv.FormatFloat(p, 'f', 6, 64) })
	_, err := io.WriteString(w, `{"version": 1, "payload": {"predictions": [`+strings.Join(numbers, ", ")+"]}}\n")
	return err
}
