package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pacia/config"
	"pacia/internal/badinput"
)

// inSettings is an error whose line names settings in place of flags that the command lacks. Readers
// of files name flags such as --active-below, which is data.active_below for a command with --set.
type inSettings struct {
	error
	line string
}

func (e inSettings) Error() string { return e.line }

func (e inSettings) Unwrap() error { return e.error }

// flagWord matches a flag at the beginning of a word.
var flagWord = regexp.MustCompile(`(^|[ (])--[a-z][a-z-]*`)

// settingFor returns the setting that a command takes in place of a flag that it lacks, or "".
func settingFor(c *cobra.Command, flag string) string {
	name := "data." + strings.ReplaceAll(flag, "-", "_")
	if c.Flags().Lookup("set") == nil || c.Flags().Lookup(flag) != nil || !slices.Contains(config.Names(), name) {
		return ""
	}
	return name
}

// settingNamed is settingFor an unknown flag, which may also be the name of a setting or, with anyGroup, the last part of
// one: --threads is threads, --layers is model.layers.
func settingNamed(c *cobra.Command, flag string, anyGroup bool) string {
	if name := settingFor(c, flag); name != "" || c.Flags().Lookup("set") == nil {
		return name
	}
	name, all := strings.ReplaceAll(flag, "-", "_"), config.Names()
	at := slices.IndexFunc(all, func(s string) bool { return s == name || anyGroup && strings.HasSuffix(s, "."+name) })
	if at < 0 {
		return ""
	}
	return all[at]
}

// withSettingNames replaces flags in the message of err by settings of the command c, if c lacks the flags.
func withSettingNames(c *cobra.Command, err error) error {
	if !badinput.Is(err) || strings.Contains(err.Error(), unknownFlag) {
		return err
	}
	line := withSettings(c, err.Error())
	if line == err.Error() {
		return err
	}
	return inSettings{err, line}
}

// withSettings replaces flags in a text by settings of the command c, if c lacks the flags.
func withSettings(c *cobra.Command, text string) string {
	return flagWord.ReplaceAllStringFunc(text, func(word string) string {
		before, flag, _ := strings.Cut(word, "--")
		if name := settingFor(c, flag); name != "" {
			return before + name
		}
		return word
	})
}

// besideAssumption matches what changes an assumption, in the brackets behind it.
var besideAssumption = regexp.MustCompile(`\([^()]*\bdata\.[a-z_]+\)$`)

// inWordsOf returns a note in the words of the command c: settings if it takes them, otherwise its flags, or the settings of
// train.
func inWordsOf(c *cobra.Command, text string) string {
	if c.Flags().Lookup("set") != nil {
		return withSettings(c, text)
	}
	return besideAssumption.ReplaceAllStringFunc(text, func(words string) string {
		before, name, _ := strings.Cut(words, "data.")
		name = strings.TrimSuffix(name, ")")
		if flag := strings.ReplaceAll(name, "_", "-"); c.Flags().Lookup(flag) != nil {
			return before + "--" + flag + ")"
		}
		return before + "train --set data." + name + ")"
	})
}
