package serve

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"regexp"
	"strings"

	"pacia/internal/badinput"
)

// A problem is why a request is not answered.
type problem struct {
	Status  int    `json:"-"`
	Message string `json:"message"`          // all of it in a line
	File    string `json:"file,omitempty"`   // it was found in
	Row     int    `json:"row,omitempty"`    // of the file, from 1
	Column  string `json:"column,omitempty"` // of the file
	What    string `json:"what,omitempty"`   // is wrong
	Fix     string `json:"fix,omitempty"`    // remedy
}

func (p problem) Error() string {
	if p.Message == "" {
		return p.What + "; " + p.Fix
	}
	return p.Message
}

// cancelled is why a job has no result that was given up.
var cancelled = problem{Status: http.StatusGone, Message: "the job was cancelled; send it again", What: "the job was cancelled", Fix: "send it again"}

// flags are the fields' names in messages of the command line.
var flags = regexp.MustCompile(`--([a-z]+(?:-[a-z]+)*)`)

// fields writes --active-below as active_below.
func fields(text string) string {
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
	case errors.As(err, &f):
		return problem{Status: http.StatusUnprocessableEntity, Message: fields(f.Error()), File: f.File, Row: f.Row, Column: f.Column, What: fields(f.What), Fix: fields(f.Fix)}
	case errors.Is(err, context.Canceled):
		return cancelled
	}
	slog.Error("a request failed", "error", err)
	return problem{Status: http.StatusInternalServerError, What: "trouble of the server", Fix: "its log says more"}
}

func refuse(w http.ResponseWriter, err error) {
	p := problemOf(err)
	p.Message = p.Error()
	if p.Status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "5")
	}
	_ = reply(w, p.Status, map[string]problem{"error": p})
}

// A handler answers a request, or returns why it does not.
type handler func(w http.ResponseWriter, r *http.Request) error

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := h(w, r); err != nil {
		refuse(w, err)
	}
}

func reply(w http.ResponseWriter, status int, value any) error {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value) // a client that has gone does not miss it
	return nil
}

func quote(text string) string { return badinput.Quote(text) }
