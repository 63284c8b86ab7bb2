package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
	"pacia/internal/ui"
	"pacia/internal/version"
)

// newMan returns the command that writes the manual pages. It is for packagers, and hidden:
// users read the pages with man(1), and the same text with --help.
func newMan() *cobra.Command {
	return &cobra.Command{
		Use:    "man FOLDER",
		Short:  "Write the manual pages of all commands",
		Long:   "Write the manual pages of all commands into FOLDER/man1, for man -M FOLDER pacia.",
		Hidden: true,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				return nil
			}
			return &badinput.Error{What: c.CommandPath() + " needs a folder", Fix: "write " + c.CommandPath() + " FOLDER"}
		},
		RunE: func(c *cobra.Command, args []string) error {
			dir := filepath.Join(args[0], "man1")
			if err := os.MkdirAll(dir, 0o777); err != nil {
				return &badinput.Error{What: "cannot make the folder", Err: err, Fix: "write another one"}
			}
			root := c.Root()
			root.DisableAutoGenTag = true // pages do not depend on the day
			pages, err := manPages(root)
			if err != nil {
				return err
			}
			var outputs []output
			for name := range pages {
				outputs = append(outputs, output{"the page", filepath.Join(dir, name), manPage})
			}
			if err := checkOutputs(outputs); err != nil {
				return err
			}
			for name, text := range pages {
				if err := atomicfile.WriteBytes(filepath.Join(dir, name), text); err != nil {
					return err
				}
			}
			ui.Say(c.OutOrStdout(), "%s: %s\n", dir, ui.Count(len(pages), "page"))
			return nil
		},
	}
}

// manPages returns the pages of a command and of those below it, by the names of their files.
func manPages(c *cobra.Command) (map[string][]byte, error) {
	noDate := time.Unix(0, 0)
	header := doc.GenManHeader{Section: "1", Source: "pacia " + version.Program(), Manual: "pacia", Date: &noDate}
	var text bytes.Buffer
	if err := doc.GenMan(c, &header, &text); err != nil {
		return nil, err
	}
	pages := map[string][]byte{strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1": text.Bytes()}
	for _, sub := range c.Commands() {
		if !sub.IsAvailableCommand() || sub.IsAdditionalHelpTopicCommand() {
			continue
		}
		below, err := manPages(sub)
		if err != nil {
			return nil, err
		}
		maps.Copy(pages, below)
	}
	return pages, nil
}
