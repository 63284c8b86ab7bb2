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
	line := flagWord.ReplaceAllStringFunc(err.Error(), func(word string) string {
		before, flag, _ := strings.Cut(word, "--")
		if name := settingFor(c, flag); name != "" {
			return before + name
		}
		return word
	})
	if line == err.Error() {
		return err
	}
	return inSettings{err, line}
}
