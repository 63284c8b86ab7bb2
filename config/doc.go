// Package config turns the user's settings into one typed, validated Config.
//
//  1. Every part of the program owns a struct of its settings. The tags give the meaning
//     and the valid values of each (package setting); runconfig.Config composes the
//     structs.
//  2. settings.go lists the settings of all methods, and which methods have each.
//  3. Load lays the sources over each other, the later ones winning: the defaults
//     of model.preset and model.method; a settings file, which may extend a preset
//     (--preset, --config, or the built-in config.yaml where neither is given); the
//     environment (PACIA_TRAIN_EPISODES=100); --set train.episodes=100.
//  4. Every source is checked as it is read: an unknown name is answered with the nearest
//     known one, a value of a wrong type with what the setting expects, and both with the
//     file's row. A user's setting for another method than the chosen one is refused; in
//     a built-in preset it is ignored.
//  5. Config.Validate checks the whole. Nothing has been opened or computed by then.
//  6. Write gives the effective settings as YAML that loads to the same Config; Explain
//     describes each of them in full.
//
// All errors about settings are *badinput.Error. No other package but cmd knows
// that viper does the layering.
package config
