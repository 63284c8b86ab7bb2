package rundir

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
	"pacia/internal/input"
)

// A Seal detects changes to the files of a finished run. Without it, a digit that changes
// on a disk leaves a readable file, and a wrong figure in a report.
type Seal struct {
	Config  string `json:"config_sha256"`  // of config.yaml, in hexadecimal digits
	Metrics string `json:"metrics_sha256"` // of metrics.jsonl
	Self    string `json:"sha256"`         // of summary.json, with zeros in place of this value
}

// unsealed replaces Self while the checksum is computed.
var unsealed = strings.Repeat("0", 2*sha256.Size)

// WriteSummary writes s to dir, with a seal of the run's files, and returns s with the seal.
func WriteSummary(dir string, s Summary) (_ Summary, err error) {
	seal := Seal{Self: unsealed}
	if seal.Config, err = sumOf(dir, ConfigFile); err != nil {
		return s, err
	}
	if seal.Metrics, err = sumOf(dir, MetricsFile); err != nil {
		return s, err
	}
	s.Seal = &seal
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return s, err
	}
	text, seal.Self = sealed(append(text, '\n'))
	return s, atomicfile.WriteBytes(filepath.Join(dir, SummaryFile), text)
}

// sealed puts the checksum of a text into it, in place of the last zeros.
func sealed(text []byte) ([]byte, string) {
	self := fmt.Sprintf("%x", sha256.Sum256(text))
	copy(text[bytes.LastIndex(text, []byte(unsealed)):], self)
	return text, self
}

// checkSeal returns an error unless self is the checksum that sealed has put into a text.
func checkSeal(text []byte, self string) error {
	at := bytes.LastIndex(text, []byte(self))
	if len(self) != len(unsealed) || at < 0 {
		return errors.New("its seal is broken")
	}
	text = bytes.Clone(text)
	copy(text[at:], unsealed)
	if fmt.Sprintf("%x", sha256.Sum256(text)) != self {
		return errors.New("its checksum is wrong")
	}
	return nil
}

// ReadSummary reads the file of WriteSummary. A changed one is a *badinput.Error.
func ReadSummary(dir string) (s Summary, err error) {
	text, err := readFile(dir, SummaryFile)
	if err != nil {
		return s, &badinput.Error{File: dir, What: "cannot read the summary of the run", Err: err}
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return s, damaged(dir, SummaryFile, err)
	}
	if s.Seal == nil {
		if bytes.Contains(text, []byte("_sha256")) {
			return s, damaged(dir, SummaryFile, errors.New("its seal is broken"))
		}
		return s, nil
	}
	if err := checkSeal(text, s.Seal.Self); err != nil {
		return s, damaged(dir, SummaryFile, err)
	}
	return s, nil
}

// check compares the other files of the run in dir with the seal.
func (s *Seal) check(dir string) error {
	if s == nil {
		return nil
	}
	for _, f := range []struct{ name, sum string }{{ConfigFile, s.Config}, {MetricsFile, s.Metrics}} {
		sum, err := sumOf(dir, f.name)
		if err != nil {
			return err
		}
		if sum != f.sum {
			return &badinput.Error{File: filepath.Join(dir, f.name), What: "has changed since the run: its checksum is wrong",
				Fix: "restore it, or leave this run out; if the run was resumed, wait for its end"}
		}
	}
	return nil
}

// sumOf returns the SHA-256 of a file, in hexadecimal digits.
func sumOf(dir, name string) (string, error) {
	f, err := input.Open(context.Background(), filepath.Join(dir, name), input.Regular, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", fmt.Errorf("the checksum of %s: %w", name, err)
	}
	return fmt.Sprintf("%x", sum.Sum(nil)), nil
}
