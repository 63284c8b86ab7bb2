// Package config turns the user's settings into one typed, validated Config.
//
//  1. Every part of the program owns a struct of its settings. The tags give the meaning
//     and the valid values of each (package setting); runconfig.Config composes the
//     structs.
//  2. settings.go lists the settings of all methods, and which methods have each.
//  3. Load merges the sources; later ones win. They are the defaults of model.preset
//     and model.method; a settings file, which may extend a preset (--preset,
//     --config, or the built-in config.yaml without these); the environment
//     (PACIA_TRAIN_EPISODES=100); --set train.episodes=100.
//  4. Every source is checked as it is read. The error about an unknown name suggests a
//     near one, if there is one, and the error about a value of a wrong type states the expected
//     type. Both have the file's row. A setting of another method than the chosen one is refused if the user
//     wrote it, and ignored in a built-in preset.
//  5. Config.Validate checks the whole. Nothing has been opened or computed by then.
//  6. Write writes the effective settings as YAML that loads to the same Config; Explain
//     describes each setting in full.
//
// All errors about settings are *badinput.Error. Only this package imports viper, which
// merges the sources.
package config
