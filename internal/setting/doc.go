// Package setting reads what a setting means and may be from the struct that
// holds it, so that this stands in one place for checks, explanations and
// documents alike.
//
//  1. Every part of the program owns a struct of its settings. The tag yaml
//     names a setting, as in files; the tags below say the rest:
//
//     Layers  int     `yaml:"layers" doc:"layers of the encoder" range:"1 64"`
//     Dropout float64 `yaml:"dropout" doc:"after each layer" range:"[0 1)"`
//     Steps   int     `yaml:"steps" doc:"in all" range:"1 inf" zero:"as many as train.episodes"`
//     Readout string  `yaml:"readout" doc:"of the atoms" oneof:"mean sum max"`
//     Path    string  `yaml:"path" doc:"of the data set" form:"the name of a CSV file"`
//
//     range has the least and the largest value: "1 64" and "[1 64]" hold both,
//     "(0 1)" neither, and inf is no bound. oneof has all choices. form is what
//     a text looks like that must not be empty. zero says what 0, or an empty
//     text, stands for, and admits it.
//
//  2. A struct in a struct is a group: its settings are called group.name, and
//     its own tag doc says what the group is. With yaml:",inline", its settings
//     are called as if they stood in its place. Pointers and interfaces are
//     followed to the struct they hold, and skipped where they hold none; so is,
//     with yaml:"name,omitempty", a group in which all is zero.
//
//  3. List goes through all settings of a struct; Check through their values.
//
//  4. Setting.Parse and Setting.Set read a setting's text, which is the same in
//     a file, a variable of the environment and a flag.
//
// A tag that cannot be understood is a mistake of the program, and panics.
package setting
