package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pacia/internal/badinput"
	"pacia/internal/input"
	"pacia/screen/ranking"
	"pacia/screen/request"
	page "pacia/serve"
)

// numberedFile is the file name of the standard input's table in a request.
const numberedFile = "standard input"

// scoreAt returns a server's ranked table of the rows that numbered made.
func (p *prediction) scoreAt(c *cobra.Command, server, rows string) ([]byte, error) {
	u, err := url.Parse(server)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, &badinput.Error{What: "--server " + badinput.Quote(server) + " is not an address",
			Fix: "write the one that pacia serve prints, such as http://127.0.0.1:8417"}
	}
	var body bytes.Buffer
	kind, err := p.scoreForm(c, rows, &body)
	if err != nil {
		return nil, err
	}
	table, refused, err := post(c.Context(), u.JoinPath("/v1/rank").String(), kind, &body)
	switch {
	case err != nil:
		return nil, err
	case refused != nil && refused.Code == page.NoMolecules:
		return p.unranked()
	case refused != nil:
		return nil, &badinput.Error{What: "the server at " + server + " refuses", Err: refused, Fix: "correct it and try again"}
	}
	return table, nil
}

// scoreForm writes the form of a request, and returns its content type.
func (p *prediction) scoreForm(c *cobra.Command, rows string, body io.Writer) (kind string, err error) {
	w := multipart.NewWriter(body)
	c.Flags().Visit(func(f *pflag.Flag) {
		switch name := f.Name; {
		case err != nil || name == "support" || name == "against" || name == "history" || name == "server" || c.InheritedFlags().Lookup(name) != nil:
		case name == "smiles":
			err = w.WriteField("support_smiles", f.Value.String())
		case isSent(name):
			texts := []string{f.Value.String()}
			if several, repeated := f.Value.(pflag.SliceValue); repeated {
				texts = several.GetSlice()
			}
			for _, text := range texts {
				err = cmp.Or(err, w.WriteField(strings.ReplaceAll(name, "-", "_"), text))
			}
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
	if err := addFile(w, "library", numberedFile, rows); err != nil {
		return "", err
	}
	if len(p.Support) > 1 {
		return "", &badinput.Error{What: "a server takes one support file", Fix: "put them together, or leave out --server"}
	}
	files := []*labelled{{flag: "--support", file: p.Support[0]}}
	for _, of := range append(files, p.unwanted...) {
		text, err := input.ReadAll(c.Context(), of.file, input.Stream, 0)
		if err == nil {
			err = addFile(w, strings.TrimPrefix(of.flag, "--"), filepath.Base(of.file), string(text))
		}
		if err == nil && of.flag == "--against" {
			err = w.WriteField("against_assay", cmp.Or(of.assayName, ";")) // as the support file
		}
		if err != nil {
			return "", err
		}
	}
	for _, of := range p.History {
		path, how := ranking.FileAndReading(of)
		text, err := input.ReadAll(c.Context(), path, input.Stream, 0)
		if err == nil {
			err = addFile(w, "history", filepath.Base(path), string(text))
		}
		if err == nil {
			err = w.WriteField("history_reading", cmp.Or(how, ";")) // as without a reading
		}
		if err != nil {
			return "", err
		}
	}
	return w.FormDataContentType(), w.Close()
}

// isSent reports whether a flag becomes a field of a request to a server. Those about the form of files would also be for the
// table of the standard input.
func isSent(flag string) bool {
	field, known := request.Find(strings.ReplaceAll(flag, "-", "_"))
	is, _ := field.Sent()
	return known && is && !isForm(flag)
}

func addFile(w *multipart.Writer, field, name, text string) error {
	part, err := w.CreateFormFile(field, name)
	if err == nil {
		_, err = io.WriteString(part, text)
	}
	return err
}

// refusal is the error of a server's answer.
type refusal struct{ Message, Code string }

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
