// Package setting reads the meaning and the valid values of a setting from the struct
// that holds it, so that checks, explanations and documents share one source.
//
//  1. Every part of the program owns a struct of its settings. The tag yaml names a
//     setting, as in files; the tags below give the rest:
//
//     Layers  int     `yaml:"layers" doc:"layers of the encoder" range:"1 64"`
//     Dropout float64 `yaml:"dropout" doc:"after each layer" range:"[0 1)"`
//     Steps   int     `yaml:"steps" doc:"in all" range:"1 inf" zero:"as many as train.episodes"`
//     Readout string  `yaml:"readout" doc:"of the atoms" oneof:"mean sum max"`
//     Path    string  `yaml:"path" doc:"of the data set" form:"the name of a CSV file"`
//
//     range has the least and the largest value: "1 64" and "[1 64]" include
//     both, "(0 1)" neither, and inf means unbounded. oneof has all choices. form
//     describes a text that must not be empty. zero is the meaning of 0 or of an empty
//     text, and makes it valid. word:"none -1" names a number. A list of texts grows by each
//     text that is set. Other tags are for the owner of the struct: Setting.Tag.
//
//  2. A struct in a struct is a group: its settings are named group.name, and its own
//     tag doc describes the group. With yaml:",inline", its settings are named like those
//     of the outer struct. Pointers and interfaces are followed to their structs, and
//     skipped if they are nil. With yaml:"name,omitempty", a group with only zero values
//     is also skipped.
//
//  3. List returns all settings of a struct; Check checks their values.
//
//  4. Setting.Parse and Setting.Set parse a setting's text, which has the same form in a
//     file, an environment variable and a flag.
//
// An invalid tag is an error of the program, and panics.
package setting
