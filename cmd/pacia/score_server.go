package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pacia/internal/badinput"
	"pacia/internal/input"
)

// serverFlags lists the flags of score that become fields of a request to a server.
var serverFlags = []string{
	"label", "active-below", "active-above", "unit", "value-unit", "decimal", "sign-column", "unit-column", "type-column", "type",
	"active-words", "inactive-words", "repeats", "as-drawn", "prior",
}

// repeatedServerFlags are those of serverFlags' kind that may be given several times.
var repeatedServerFlags = []string{"rows"}

// numberedFile is the file name of the standard input's table in a request.
const numberedFile = "standard input"

// scoreAt lets a server score the rows of a table that numbered made, and sets probabilities[line].
func (p *prediction) scoreAt(c *cobra.Command, server, rows string, probabilities []float64) error {
	u, err := url.Parse(server)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return &badinput.Error{What: "--server " + badinput.Quote(server) + " is not an address",
			Fix: "write the one that pacia serve prints, such as http://127.0.0.1:8417"}
	}
	var body bytes.Buffer
	kind, err := p.scoreForm(c, rows, &body)
	if err != nil {
		return err
	}
	table, refused, err := post(c.Context(), u.JoinPath("/v1/rank").String(), kind, &body)
	switch {
	case err != nil:
		return err
	case refused != nil && refused.File == numberedFile: // none of the lines is a molecule
		return nil
	case refused != nil:
		return &badinput.Error{What: "the server at " + server + " refuses", Err: refused, Fix: "correct it and try again"}
	}
	return probabilitiesOf(table, probabilities)
}

// scoreForm writes the form of a request, and returns its content type.
func (p *prediction) scoreForm(c *cobra.Command, rows string, body io.Writer) (kind string, err error) {
	w := multipart.NewWriter(body)
	c.Flags().Visit(func(f *pflag.Flag) {
		switch name := f.Name; {
		case err != nil || name == "support" || name == "server" || c.InheritedFlags().Lookup(name) != nil:
		case name == "smiles":
			err = w.WriteField("support_smiles", f.Value.String())
		case slices.Contains(repeatedServerFlags, name):
			for _, one := range p.rows {
				err = cmp.Or(err, w.WriteField(name, one))
			}
		case slices.Contains(serverFlags, name):
			err = w.WriteField(strings.ReplaceAll(name, "-", "_"), f.Value.String())
		default:
			err = &badinput.Error{What: "--" + name + " has no effect on a server", Fix: "leave out --" + name + " or --server"}
		}
	})
	if err == nil {
		err = w.WriteField("refine", "0") // all, as without a server
	}
	if err != nil {
		return "", err
	}
	text, err := input.ReadAll(c.Context(), p.support, input.Stream, 0)
	if err != nil {
		return "", err
	}
	for _, file := range []struct{ field, name, text string }{
		{"support", filepath.Base(p.support), string(text)},
		{"library", numberedFile, rows},
	} {
		part, err := w.CreateFormFile(file.field, file.name)
		if err != nil {
			return "", err
		}
		if _, err := io.WriteString(part, file.text); err != nil {
			return "", err
		}
	}
	return w.FormDataContentType(), w.Close()
}

// refusal is the error of a server's answer.
type refusal struct{ Message, File string }

func (r *refusal) Error() string { return r.Message }

// post sends a request. It returns the ranked table, or the server's refusal.
func post(ctx context.Context, to, kind string, body io.Reader) (table []byte, refused *refusal, err error) {
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, to, body)
	if err != nil {
		return nil, nil, err
	}
	q.Header.Set("Content-Type", kind)
	q.Header.Set("Accept", "text/csv")
	answer, err := http.DefaultClient.Do(q)
	if err != nil {
		return nil, nil, &badinput.Error{What: "--server does not answer", Err: err,
			Fix: "start pacia serve, and write the address that it prints"}
	}
	defer answer.Body.Close()
	if table, err = io.ReadAll(answer.Body); err != nil || answer.StatusCode == http.StatusOK {
		return table, nil, err
	}
	var v struct{ Error refusal }
	if json.Unmarshal(table, &v) != nil || v.Error.Message == "" {
		return nil, nil, badinput.Newf("--server: %s answers %s, and is not pacia serve", to, answer.Status)
	}
	return nil, &v.Error, nil
}

// probabilitiesOf reads a ranked table, and sets probabilities[line].
func probabilitiesOf(ranked []byte, probabilities []float64) error {
	rows, err := csv.NewReader(bytes.NewReader(ranked)).ReadAll()
	if err != nil || len(rows) == 0 {
		return &badinput.Error{What: "--server: the answer is not a ranked table", Err: err, Fix: "write the address of pacia serve"}
	}
	line, probability := slices.Index(rows[0], lineColumn), slices.Index(rows[0], "probability")
	if line < 0 || probability < 0 {
		return badinput.Newf("--server: the answer lacks the columns %s and probability", lineColumn)
	}
	for _, row := range rows[1:] {
		at, err := strconv.Atoi(row[line])
		if err != nil || at < 0 || at >= len(probabilities) {
			return fmt.Errorf("--server: the answer has the line %q", row[line])
		}
		if probabilities[at], err = strconv.ParseFloat(row[probability], 64); err != nil {
			return err
		}
	}
	return nil
}
