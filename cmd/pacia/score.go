package main

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pacia/data/table"
	"pacia/internal/badinput"
	"pacia/run/checkpoint"
	"pacia/screen"
	"pacia/screen/request"
)

const scoreHelp = `Score molecules for another program, by the labelled molecules of a support file.

The standard input has a SMILES on each line. The standard output gets one line of JSON, as REINVENT 4
reads it from its component ExternalProcess: a score of each line, in their order.

  {"version": 1, "payload": {"predictions": [0.812402, NaN, 0.101376]}, "metadata": {"domain": ["inside", null, "outside"], …}}

predictions are probabilities of being active or, with --against, selectivities. With --potency the payload
has the list potency as well, with an interval of 80 % in potency_low and potency_high, and with --against the
probabilities in each assay. metadata has the domain and the uncertainty, where the model states them. NaN,
or null in place of a text, stands for a line that is not a molecule.

--server sends them to a running pacia serve, so that no call has to load the model.`

// longestScored is the longest line of the standard input, in bytes.
const longestScored = 1 << 20

func newScore() *cobra.Command {
	p := prediction{Request: request.New()}
	p.Library, p.Out = []string{table.Stdin}, stdout
	p.Refine = 0 // all, so that a score does not depend on the other lines
	var server string
	c := &cobra.Command{
		Use:   "score",
		Short: "Score SMILES of the standard input for another program, such as REINVENT 4",
		Long:  scoreHelp,
		Example: "  printf 'CCO\\nCCN\\n' | pacia score --support measured.csv\n" +
			"  pacia score --support measured.csv --potency \"IC50 (nM)\" < molecules.smi\n" +
			"  pacia score --support measured.csv --server http://127.0.0.1:8417 < molecules.smi   # by a running pacia serve",
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			defer leaveWhenAsked()()
			if err := p.check(c); err != nil {
				return err
			}
			return p.score(c, server)
		},
	}
	p.scoring(c)
	prior := c.Flags().Lookup("prior")
	prior.Usage = strings.Replace(prior.Usage, "candidates", "molecules", 1)
	c.Flags().StringVar(&server, "server", "", "`ADDRESS` of a pacia serve that scores, such as http://127.0.0.1:8417")
	return c
}

// score prints the scores of each line of the standard input.
func (p *prediction) score(c *cobra.Command, server string) error {
	rows, n, err := numbered(c.InOrStdin())
	if err != nil {
		return err
	}
	var ranked []byte
	if server != "" {
		ranked, err = p.scoreAt(c, server, rows)
	} else {
		ranked, err = p.scoreHere(c, rows)
	}
	if err != nil {
		return err
	}
	a, err := answerOf(ranked, n)
	if err != nil {
		return err
	}
	return a.write(c.OutOrStdout())
}

// scoreHere returns the ranked table of the rows that numbered made.
func (p *prediction) scoreHere(c *cobra.Command, rows string) ([]byte, error) {
	s, err := p.readSupport(c, p.Support...)
	if err != nil {
		return nil, err
	}
	o := p.read(c)
	o.Options = table.Options{SMILES: scoredColumn}
	o.Stdin, o.Elsewhere = strings.NewReader(rows), false
	r, err := p.newRanker(c, s, o, io.Discard)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	err = p.answer(c, r, func(checkpoint.Meta) {})
	if errors.Is(err, screen.ErrNothing) {
		return p.unranked()
	}
	if err != nil {
		return nil, err
	}
	var ranked bytes.Buffer
	err = r.Spill.WriteRanked(&ranked, r.Table.Header, screen.Shown(s, p.Share()), nil)
	return ranked.Bytes(), err
}

// Columns of the table that numbered makes.
const scoredColumn, lineColumn = "smiles", "line"

// numbered makes a CSV table of the n lines of a text, with the first word of each line and its
// number, from 0. Empty lines have no row. Neither has a word with letters that no SMILES has, by which the whole
// table could be read in another way, nor a header such as "SMILES Name": no SMILES contains the letters smi.
func numbered(text io.Reader) (rows string, n int, err error) {
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write([]string{scoredColumn, lineColumn}) // a Builder returns no errors
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, longestScored)
	for ; lines.Scan(); n++ {
		if words := strings.Fields(lines.Text()); len(words) > 0 && !strings.Contains(strings.ToLower(words[0]), "smi") && !strings.ContainsFunc(words[0], foreign) {
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

// foreign reports whether a letter is in no SMILES: all are printable ASCII.
func foreign(r rune) bool { return r <= ' ' || r >= 0x7f }
