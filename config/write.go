package config

import (
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"
)

// Write writes all settings of c, so that `--config` gives the same run even if a
// later version has other defaults.
func Write(w io.Writer, c Config) error {
	if _, err := fmt.Fprintln(w, "# All settings. `pacia train --config FILE` takes them again."); err != nil {
		return err
	}
	e := yaml.NewEncoder(w)
	e.SetIndent(2)
	if err := e.Encode(c); err != nil {
		return err
	}
	return e.Close()
}
