package main

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Limits of a server under attack: kilobytes of address space, and the time of a response.
const (
	addresses  = 9 << 20
	soonEnough = 60 * time.Second
)

// besieged is a server of pacia under attack.
type besieged struct {
	*harm
	url     string
	command *exec.Cmd
	sent    int
	lost    []error
}

// siege sends small requests that unpack to much, or that take long, to a server with limited
// memory. The server must refuse or rank them, and must be able to rank afterwards.
func (h *harm) siege() error {
	s := &besieged{harm: h}
	if err := s.start(); err != nil {
		return err
	}
	defer func() { _ = s.command.Process.Kill() }()
	table := func(name, text string) part { return part{"library", name, text} }
	labelled := part{"support", "s.csv", support()}
	var wide []part
	for file := range 20 {
		wide = append(wide, table(fmt.Sprintf("w%d.csv", file), columns(file)))
	}
	for _, bomb := range []struct {
		name string
		path string
		with []part
	}{
		{"rows in JSON with other names each", "/v1/rank", nil},
		{"a workbook of one long text", "/v1/rank", []part{labelled, table("l.xlsx", workbook())}},
		{"a large support set", "/v1/rank", []part{
			{"support", "s.csv", "smiles,label\n" + strings.Repeat("CCO,1\nCCN,0\n", 4_000_000)}, table("l.csv", "smiles\nCCO\n"),
		}},
		{"files with other columns each", "/v1/rank", append(wide, labelled)},
		{"a request of many small files", "/v1/read", wide},
	} {
		s.hold(bomb.name, func() error { return s.refused(bomb.path, bomb.with) })
	}
	s.hold("many sorts at a time", s.sorts)
	s.hold("a slow job that is cancelled", s.cancelled)
	s.hold("slow previews whose clients have gone", s.deserted)
	peak := s.peak()
	s.hold("a slow job at SIGTERM", s.leaves)
	fmt.Printf("siege: %d attacks on a server of at most %d MB, %d losses\n", s.sent, peak, len(s.lost))
	return errors.Join(s.lost...)
}

// hold makes an attack and checks that the server can rank afterwards.
func (s *besieged) hold(name string, attack func() error) {
	begun := time.Now()
	s.sent++
	err := attack()
	if err == nil && !strings.HasSuffix(name, "SIGTERM") {
		err = s.ranks()
	}
	s.logf("%s: %.1f s, %d MB: %v", name, time.Since(begun).Seconds(), s.peak(), err)
	if err != nil {
		s.lost = append(s.lost, fmt.Errorf("%s: %w", name, err))
		fmt.Println("LOSS", name, err)
	}
}

func (s *besieged) start() error {
	dir := filepath.Join(s.work, "siege")
	if err := lay(dir); err != nil {
		return err
	}
	s.command = exec.Command("sh", "-c", fmt.Sprintf(`ulimit -v %d; exec "$0" serve --address 127.0.0.1:0 --set threads=1`, addresses), s.program)
	s.command.Dir, s.command.Env = dir, environment(dir)
	s.command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := s.command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := s.command.Start(); err != nil {
		return err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	s.url = strings.TrimSpace(line)
	return err
}

// peak returns the largest memory of the server so far, in MB.
func (s *besieged) peak() (megabytes int) {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.command.Process.Pid)) // 0 after it has ended
	for line := range strings.Lines(string(status)) {
		if rest, found := strings.CutPrefix(line, "VmHWM:"); found {
			_, _ = fmt.Sscan(rest, &megabytes)
		}
	}
	return megabytes >> 10
}

// A part is a file or a field of a form.
type part struct{ field, file, text string }

// post sends a form, or JSON without parts.
func (s *besieged) post(ctx context.Context, path string, parts []part) (*http.Response, error) {
	var body bytes.Buffer
	kind := "application/json"
	if parts == nil {
		body.WriteString(manyNames())
	} else {
		w := multipart.NewWriter(&body)
		kind = w.FormDataContentType()
		for _, p := range parts {
			to, err := w.CreateFormField(p.field)
			if p.file != "" {
				to, err = w.CreateFormFile(p.field, p.file)
			}
			if err == nil {
				_, err = io.WriteString(to, p.text)
			}
			if err != nil {
				return nil, err
			}
		}
		if err := w.Close(); err != nil {
			return nil, err
		}
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+path, &body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", kind)
	return http.DefaultClient.Do(r)
}

// status sends a form and returns the status of the response, which must come within
// soonEnough.
func (s *besieged) status(path string, parts []part) (int, error) {
	ctx, cancel := context.WithTimeout(context.Background(), soonEnough)
	defer cancel()
	r, err := s.post(ctx, path, parts)
	if err != nil {
		return 0, err
	}
	return r.StatusCode, r.Body.Close()
}

func (s *besieged) refused(path string, parts []part) error {
	code, err := s.status(path, parts)
	if err == nil && (code < 400 || code >= 500) {
		err = fmt.Errorf("is answered with %d", code)
	}
	return err
}

// job begins a ranking and returns its address.
func (s *besieged) job(library string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), soonEnough)
	defer cancel()
	r, err := s.post(ctx, "/v1/rank", []part{{"support", "s.csv", support()}, {"library", "l.csv", library}, {"wait", "", "false"}})
	if err != nil {
		return "", err
	}
	defer r.Body.Close()
	var answer struct{ ID string }
	if err := json.NewDecoder(r.Body).Decode(&answer); err != nil || answer.ID == "" {
		return "", fmt.Errorf("%s, and no job (%w)", r.Status, err)
	}
	return s.url + "/v1/jobs/" + answer.ID, nil
}

// ranks returns an error unless a small request is ranked within soonEnough.
func (s *besieged) ranks() error {
	code, err := s.status("/v1/rank", []part{{"support", "s.csv", support()}, {"library", "l.csv", "smiles\nCCCCO\n"}})
	if err != nil {
		return fmt.Errorf("nothing is ranked afterwards: %w", err)
	}
	if code != http.StatusOK {
		return fmt.Errorf("a small request afterwards is answered with %d", code)
	}
	return nil
}

// workbook returns a small file with 3,000 cells of the same 600,000 characters.
func workbook() string {
	var file bytes.Buffer
	z := zip.NewWriter(&file)
	rows := `<row r="1"><c r="A1" t="inlineStr"><is><t>smiles</t></is></c></row>`
	for i := range 3000 {
		rows += fmt.Sprintf(`<row r="%d"><c r="A%d" t="s"><v>0</v></c></row>`, i+2, i+2)
	}
	const main, of = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`, `http://schemas.openxmlformats.org/officeDocument/2006/relationships`
	const relations = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">%s</Relationships>`
	for _, f := range [][2]string{
		{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/></Types>`},
		{"_rels/.rels", fmt.Sprintf(relations, `<Relationship Id="r1" Type="`+of+`/officeDocument" Target="xl/workbook.xml"/>`)},
		{"xl/workbook.xml", `<workbook ` + main + ` xmlns:r="` + of + `"><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", fmt.Sprintf(relations, `<Relationship Id="r1" Type="`+of+`/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="`+of+`/sharedStrings" Target="sharedStrings.xml"/>`)},
		{"xl/worksheets/sheet1.xml", `<worksheet ` + main + `><sheetData>` + rows + `</sheetData></worksheet>`},
		{"xl/sharedStrings.xml", `<sst ` + main + `><si><t>` + strings.Repeat("C", 600_000) + `</t></si></sst>`},
	} {
		w, err := z.Create(f[0])
		if err == nil {
			_, err = io.WriteString(w, f[1])
		}
		if err != nil {
			panic(err) // writing to memory does not fail
		}
	}
	_ = z.Close() // as above
	return file.String()
}
