// Package pacia carries the settings files that are part of the program, so
// that it runs anywhere, with no file beside it.
package pacia

import "embed"

// Settings holds config.yaml, the default, and config/presets/PRESET.yaml.
//
//go:embed config.yaml config/presets
var Settings embed.FS
