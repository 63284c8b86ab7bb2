// Package config turns what a person wrote into one typed, validated Config.
//
//  1. Every part of the program owns its struct (model.Config, runconfig.Train,
//     …); runconfig.Config composes them, and the yaml names are those of the
//     settings: train.episodes is Config.Train.Episodes.
//  2. settings.go lists those names with their types, by reflection.
//  3. Load lays the sources over each other, the later ones winning:
//     the defaults of model.preset; a settings file (--preset, --config, or
//     the built-in config.yaml where neither is given); the environment
//     (PACIA_TRAIN_EPISODES=100); --set train.episodes=100.
//  4. Every source is checked before it counts: an unknown name is answered
//     with the nearest known one, a value of a wrong type with what the
//     setting expects; files with the row.
//  5. Config.Validate checks the whole. Nothing has been opened or computed by then.
//  6. Write gives the effective settings as YAML that loads to the same Config.
//
// All errors about settings are *fault.Error. No other package but cmd knows
// that viper does the layering.
package config
