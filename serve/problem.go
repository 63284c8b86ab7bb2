package serve

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"strings"
	"syscall"

	"pacia/internal/badinput"
	"pacia/screen"
)

// A problem is the reason for which a request is refused.
type problem struct {
	Status  int    `json:"-"`
	Message string `json:"message"`          // the whole problem in one line
	Code    string `json:"code,omitempty"`   // for programs: NoMolecules, or none
	File    string `json:"file,omitempty"`   // the file with the problem
	Row     int    `json:"row,omitempty"`    // of the file, from 1
	Column  string `json:"column,omitempty"` // of the file
	What    string `json:"what,omitempty"`   // the error
	Fix     string `json:"fix,omitempty"`    // the remedy
}

// NoMolecules is the code of a problem of a library in which no row has a molecule.
const NoMolecules = "no_molecules"

func (p problem) Error() string {
	if p.Message == "" {
		return p.What + "; " + p.Fix
	}
	return p.Message
}

// cancelled is the problem of a job that was cancelled.
var cancelled = problem{Status: http.StatusGone, Message: "the job was cancelled; send it again", What: "the job was cancelled", Fix: "send it again"}

// flags matches flags of the command line in messages.
var flags = regexp.MustCompile(`--([a-z]+(?:-[a-z]+)*)`)

// pastReadings matches how a file of past assays is read, in messages.
var pastReadings = regexp.MustCompile(`--history "[^":]*:([^"]*)"`)

// fields replaces flags in a message by the names of fields: --active-below by active_below.
func fields(text string) string {
	if at := pastReadings.FindStringSubmatchIndex(text); at != nil {
		return fields(text[:at[0]]) + `history_reading "` + text[at[2]:at[3]] + `"` + fields(text[at[1]:])
	}
	return flags.ReplaceAllStringFunc(text, func(flag string) string { return strings.ReplaceAll(flag[2:], "-", "_") })
}

func inFields(lines []string) []string {
	for i := range lines {
		lines[i] = fields(lines[i])
	}
	return lines
}

// problemOf explains an error. Only bad input is reported to clients. Other
// errors may name files of this machine, and go to the log.
func problemOf(err error) problem {
	var p problem
	var f *badinput.Error
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &large):
		return tooLarge(large.Limit)
	case unstored(err):
		slog.Error("a temporary file", "error", err)
		return problem{Status: http.StatusInsufficientStorage, What: "the server has no room for temporary files",
			Fix: "try again later, or free some room in its TMPDIR: its log has the reason"}
	case errors.As(err, &f):
		if errors.Is(err, screen.ErrNoMolecules) {
			p.Code = NoMolecules
		}
		return problem{Status: http.StatusUnprocessableEntity, Code: p.Code, Message: fields(f.Error()), File: f.File, Row: f.Row, Column: f.Column, What: fields(f.What), Fix: fields(f.Fix)}
	case errors.Is(err, context.Canceled):
		return cancelled
	}
	slog.Error("a request failed", "error", err)
	return problem{Status: http.StatusInternalServerError, What: "internal error of the server", Fix: "see the server's log"}
}

// unstored reports whether the system refused a file of the server. No request makes it open another file.
func unstored(err error) bool {
	var system syscall.Errno
	var network *net.OpError
	return errors.As(err, &system) && !errors.As(err, &network)
}

func refuse(w http.ResponseWriter, err error) {
	p := problemOf(err)
	p.Message = p.Error()
	if p.Status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "5")
	}
	_ = reply(w, p.Status, map[string]problem{"error": p})
}

// A handler answers a request, or returns the reason for which it is refused.
type handler func(w http.ResponseWriter, r *http.Request) error

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := h(w, r); err != nil {
		refuse(w, err)
	}
}

func reply(w http.ResponseWriter, status int, value any) error {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value) // an error means that the client has gone
	return nil
}

func quote(text string) string { return badinput.Quote(text) }
