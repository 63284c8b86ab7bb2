package report

import (
	"strings"
	"time"
)

// About records how a report was made.
type About struct {
	Version string
	Command string // the command line
	Made    time.Time
}

// String formats the record as one line.
func (a About) String() string {
	var parts []string
	if a.Version != "" {
		parts = append(parts, "pacia "+a.Version)
	}
	if !a.Made.IsZero() {
		parts = append(parts, a.Made.UTC().Format("2 January 2006, 15:04 UTC"))
	}
	if a.Command != "" {
		parts = append(parts, strings.Join(strings.Fields(a.Command), " "))
	}
	if parts == nil {
		return ""
	}
	return "Made by " + strings.Join(parts, ", ")
}
