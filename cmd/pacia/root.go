package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pacia/data/rdkit"
	"pacia/internal/badinput"
	"pacia/internal/version"
)

func newRoot(l *logging) *cobra.Command {
	root := &cobra.Command{
		Use:           "pacia",
		Short:         "Predict molecular properties from a few labelled molecules",
		Args:          cobra.ArbitraryArgs, // group reports unknown ones
		RunE:          group,
		Version:       version.Program(),
		SilenceErrors: true, // run prints them
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("pacia {{.Version}}\n")
	root.SetFlagErrorFunc(wrongFlag)
	l.add(root)
	root.AddCommand(newTrain(), newEval(), newPredict(), newNext(), newScore())
	root.AddCommand(newData(), newConfig(), newRemember(), newExport(), newImport(), newCalibrate(), newBench(), newDoctor(), newVersion())
	root.AddCommand(newSweep(), newReport(), newPretrain(), newServe(), newMan())
	complete(root)
	once(root)
	return root
}

// withoutMolecules are the commands that read no molecules, or start others that do.
var withoutMolecules = []string{"", "completion", "__complete", "__completeNoDesc", "help", "config", "doctor", "export", "import", "man", "sweep", "version"}

// readsMolecules returns an error if a command reads molecules and the program for that cannot run.
func readsMolecules(c *cobra.Command) error {
	words := append(strings.Fields(c.CommandPath()), "")
	if slices.Contains(withoutMolecules, words[1]) {
		return nil
	}
	return rdkit.Ready()
}

// refuseWords makes the commands that cobra adds refuse unknown words, for which cobra prints a help
// text with exit code 0. Call it after SetOut: completions go to the output that is set at the time.
func refuseWords(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "completion":
			c.Args, c.RunE = cobra.ArbitraryArgs, group
			for _, shell := range c.Commands() {
				shell.Args = noArgs
			}
		case "help":
			c.Run, c.RunE = nil, help
		}
	}
}

// help is the action of pacia help.
func help(c *cobra.Command, words []string) error {
	of, rest, err := c.Root().Find(words)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return group(of, rest)
	}
	of.InitDefaultHelpFlag()
	return of.Help()
}

// group is the action of a command that only has subcommands.
func group(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return c.Help()
	}
	fix := "see " + c.CommandPath() + " --help"
	c.SuggestionsMinimumDistance = 2
	if len(args[0]) < 100 { // longer words have no near command, and comparing a megabyte takes seconds
		if near := c.SuggestionsFor(args[0]); len(near) > 0 {
			fix = "did you mean " + strings.Join(near, " or ") + "?"
		}
	}
	return &badinput.Error{What: fmt.Sprintf("unknown command %s", badinput.Quote(c.CommandPath()+" "+args[0])), Fix: fix}
}

// noArgs rejects arguments.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	fix := "see " + c.CommandPath() + " --help"
	switch {
	case strings.Contains(args[0], "=") && c.Flags().Lookup("set") != nil:
		fix = "write --set " + args[0]
	case strings.HasSuffix(args[0], ".ckpt") && c.Flags().Lookup("checkpoint") != nil:
		fix = "write --checkpoint " + badinput.Path(args[0])
	}
	return &badinput.Error{What: fmt.Sprintf("%s takes no argument %s", c.CommandPath(), badinput.Quote(args[0])), Fix: fix}
}

// unknownFlag begins pflag's message about an unknown flag.
const unknownFlag = "unknown flag: --"

// wrongFlag suggests the setting, or else a near flag, in place of an unknown flag, and describes a wrong value.
func wrongFlag(c *cobra.Command, err error) error {
	var value *pflag.InvalidValueError
	if errors.As(err, &value) {
		return wrongValue(value)
	}
	f := &badinput.Error{What: c.CommandPath(), Err: err}
	name, unknown := strings.CutPrefix(err.Error(), unknownFlag)
	if !unknown {
		return f
	}
	var known []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			known = append(known, f.Name)
		}
	})
	near := badinput.Nearest(name, known)
	setting := settingNamed(c, name, near == "")
	switch {
	case setting != "":
		f.Fix = "write --set " + setting + "=VALUE"
	case near != "":
		f.Fix = "the nearest known one is --" + near
	default:
		f.Fix = "see " + c.CommandPath() + " --help"
	}
	return f
}

// valuesOfTypes describes the values of flags of a type, by pflag's name of the type.
var valuesOfTypes = map[string]string{
	"int": "a whole number", "uint64": "a whole number, 0 or more", "float64": "a number", "bool": "true or false",
	"intSlice": "a list of whole numbers such as 4,64", "float64Slice": "a list of numbers such as 0,0.3", "duration": "a time such as 30m",
}

// wrongValue describes a value that its flag cannot take. pflag's message has errors of Go's package strconv.
func wrongValue(e *pflag.InvalidValueError) error {
	flag := "--" + e.GetFlag().Name
	switch values := valuesOfTypes[e.GetFlag().Value.Type()]; {
	case errors.Is(e, strconv.ErrRange):
		return badinput.Newf("%s %s is out of range", flag, badinput.Path(e.GetValue()))
	case values != "":
		return badinput.Newf("%s %s is not %s", flag, badinput.Path(e.GetValue()), values)
	}
	if f := (*badinput.Error)(nil); errors.As(e.Unwrap(), &f) && strings.HasPrefix(f.What, "is ") {
		return &badinput.Error{What: flag + " " + f.What, Fix: f.Fix}
	} else if f != nil && strings.HasPrefix(f.What, flag) {
		return f
	}
	return &badinput.Error{What: flag, Err: e.Unwrap()}
}

// refuseEmpty refuses flags with an empty text, as of a shell's variable that is not set: they would be ignored. The
// text of formFields for all files is empty where they are given for single ones.
func refuseEmpty(c *cobra.Command) (err error) {
	c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		var texts []string
		if several, ok := f.Value.(pflag.SliceValue); ok {
			texts = several.GetSlice()
		} else if f.Value.Type() == "string" && !isForm(f.Name) {
			texts = []string{f.Value.String()}
		}
		if f.Changed && slices.Contains(texts, "") && err == nil {
			err = &badinput.Error{What: "--" + f.Name + " is empty", Fix: "write a value, or leave it out"}
		}
	})
	return err
}

// need reports the first of the named flags that the command has and that is empty.
func need(c *cobra.Command, flags ...string) error {
	for _, name := range flags {
		if f := c.Flags().Lookup(name); f != nil && slices.Contains([]string{"", "[]"}, f.Value.String()) {
			_, usage := pflag.UnquoteUsage(f)
			return &badinput.Error{What: c.CommandPath() + " needs --" + name, Fix: fmt.Sprintf("write --%s FILE: %s", name, usage)}
		}
	}
	return nil
}
