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

// logging holds the flags of all commands that control the standard error.
type logging struct {
	log            *ui.Log
	quiet, verbose bool
	begun          time.Time
	args           []string // of the program
}

// add adds the flags to the root. They take effect while they are parsed, so that an error
// in a later flag is already reported in the chosen format.
func (l *logging) add(root *cobra.Command) {
	f := root.PersistentFlags()
	f.VarPF(choice{&l.quiet, func() { l.log.SetLevel(slog.LevelError) }}, "quiet", "", "print only errors on the standard error").NoOptDefVal = "true"
	f.VarPF(choice{&l.verbose, func() { l.log.SetLevel(slog.LevelDebug) }}, "verbose", "", "print details on the standard error, and progress every second").NoOptDefVal = "true"
	f.Var(format{l.log}, "log-format", "the `FORMAT` of the standard error: text, or json, an object a line")
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		l.log.SetWords(func(text string) string { return inWordsOf(c, text) })
		if l.quiet && l.verbose {
			return &badinput.Error{What: "--quiet and --verbose exclude each other", Fix: "leave one of them out"}
		}
		slog.Debug(c.CommandPath(), "version", version.Program(), "go", runtime.Version(), "arguments", strings.Join(l.args, " "))
		return readsMolecules(c)
	}
}

// ended logs the error of a command, and at level debug its exit code, time and memory.
func (l *logging) ended(code int, err error) {
	if err != nil {
		slog.Error(errorLine(err), "exit", code)
	}
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // 0 after an error
	slog.Debug("ended", "exit", code, "seconds", time.Since(l.begun).Seconds(), "memory", ui.Bytes(u.Maxrss*1024))
}

// A choice is a flag without a value that calls do while flags are parsed.
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
