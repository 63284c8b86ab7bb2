package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"pacia/data/fetch"
	"pacia/fault"
)

func newFetch() *cobra.Command {
	var dir string
	var o fetch.Options
	c := &cobra.Command{
		Use:   "fetch SET",
		Short: "Fetch a public data set: " + setNames(),
		Long: `Fetch a public data set and lay it out as pacia reads it: ` + setNames() + `.

What is fetched stays in the folder "source" of the set. An interrupted transfer
goes on where it stopped. Without a network, put the files there by hand and run
the command again.`,
		Example: `  pacia data fetch tox21
  pacia data fetch fsmol --dir /data/fsmol`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 1 && fetch.Find(args[0]) != nil {
				return nil
			}
			return &fault.Error{What: c.CommandPath() + " needs the name of a data set", Fix: "write one of " + setNames()}
		},
		RunE: func(c *cobra.Command, args []string) error {
			set := fetch.Find(args[0])
			if dir == "" {
				dir = set.Folder
			}
			ctx, stop := untilInterrupted(c.Context())
			defer stop()
			return fetchSet(ctx, set, dir, o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	c.Flags().StringVar(&dir, "dir", "", "`FOLDER` of the set (default fsmol or moleculenet)")
	c.Flags().StringVar(&o.Mirror, "mirror", "", "`ADDRESS` of a folder that has the files, instead of their publishers'")
	c.Flags().BoolVar(&o.Unchecked, "unchecked", false, "keep files with another checksum than the known one")
	return c
}

func setNames() string {
	names := make([]string, len(fetch.Sets))
	for i, s := range fetch.Sets {
		names[i] = s.Name
	}
	return strings.Join(names, ", ")
}

func fetchSet(ctx context.Context, set *fetch.Set, dir string, o fetch.Options, out, progress io.Writer) error {
	d := transferDisplay{display: newDisplay(out, progress)}
	o.Progress, o.Fetched = d.progress, d.fetched
	made, err := set.Fetch(ctx, dir, o)
	d.close()
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted; run this again to go on")
	}
	if err != nil {
		return err
	}
	for _, path := range made {
		say(out, "ready: %s\n", path)
	}
	return nil
}

// transferDisplay shows how far a transfer is, and what came.
type transferDisplay struct {
	display
	file string // that is on its way
}

func (d *transferDisplay) progress(file string, done, total int64) {
	if file != d.file {
		d.close()
		d.file, d.line = file, d.now()
		if d.isTerm {
			d.bar = newBytesBar(d.display.progress, file, total)
		}
	}
	switch now := d.now(); {
	case d.bar != nil && now.Sub(d.line) >= blink:
		d.line = now
		_ = d.bar.Set64(done) // fails only beyond the total
	case d.bar == nil && now.Sub(d.line) >= every:
		d.line = now
		of := ""
		if total > 0 {
			of = " of " + size(total)
		}
		say(d.display.progress, "%s  %s%s\n", file, size(done), of)
	}
}

func (d *transferDisplay) fetched(file string, n int64, sum fetch.Checksum) {
	note := "no published checksum to compare with"
	switch {
	case sum.Checked:
		note = "as published"
	case sum.Differs:
		note = "not as published"
	}
	d.clear()
	say(d.out, "%s  %s (%s bytes)  sha256 %s  %s\n", file, size(n), group3(int(n)), sum.SHA256, note)
}

// newBytesBar is a bar of bytes; a total of 0 is not known.
func newBytesBar(w io.Writer, name string, total int64) *progressbar.ProgressBar {
	if total == 0 {
		total = -1
	}
	return progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(name),
		progressbar.OptionSetWidth(20),
		progressbar.OptionShowBytes(true),
		progressbar.OptionShowTotalBytes(true),
	)
}
