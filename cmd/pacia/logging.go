package main

import (
	"log/slog"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"pacia/internal/badinput"
	"pacia/internal/ui"
	"pacia/internal/version"
)

// logging are the flags of all commands that say what goes to the standard error.
type logging struct {
	log            *ui.Log
	quiet, verbose bool
	begun          time.Time
	args           []string // of the program
}

// add gives the root its flags. They take effect as they are read, so that what is
// wrong with a later one is reported in the form that was asked for.
func (l *logging) add(root *cobra.Command) {
	f := root.PersistentFlags()
	f.VarPF(choice{&l.quiet, func() { l.log.SetLevel(slog.LevelError) }}, "quiet", "", "say nothing but errors on the standard error").NoOptDefVal = "true"
	f.VarPF(choice{&l.verbose, func() { l.log.SetLevel(slog.LevelDebug) }}, "verbose", "", "say more on the standard error, and how far it is every second").NoOptDefVal = "true"
	f.Var(format{l.log}, "log-format", "what the standard error is: `text`, or json, an object a line")
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		if l.quiet && l.verbose {
			return &badinput.Error{What: "--quiet and --verbose exclude each other", Fix: "leave one of them out"}
		}
		slog.Debug(c.CommandPath(), "version", version.Program(), "go", runtime.Version(), "arguments", strings.Join(l.args, " "))
		return nil
	}
}

// ended says how a command came to its end.
func (l *logging) ended(code int, err error) {
	if err != nil {
		slog.Error(said(err), "exit", code)
	}
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // then it is 0
	slog.Debug("ended", "exit", code, "seconds", time.Since(l.begun).Seconds(), "memory", ui.Bytes(u.Maxrss*1024))
}

// A choice is a flag without a value that does something at once.
type choice struct {
	on *bool
	do func()
}

func (c choice) Set(text string) (err error) {
	if *c.on, err = strconv.ParseBool(text); *c.on {
		c.do()
	}
	return err
}

func (c choice) String() string { return strconv.FormatBool(c.on != nil && *c.on) }
func (c choice) Type() string   { return "bool" }

// format is the flag --log-format.
type format struct{ log *ui.Log }

func (f format) Set(text string) error {
	if text != ui.FormatText && text != ui.FormatJSON {
		return badinput.Newf("%s is not known; write %s or %s", badinput.Quote(text), ui.FormatText, ui.FormatJSON)
	}
	f.log.SetFormat(text)
	return nil
}

func (format) String() string { return "" }
func (format) Type() string   { return "string" }
