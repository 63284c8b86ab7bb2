// Package version has the version of the program, by Semantic Versioning
// (https://semver.org). CHANGELOG.md lists what a version promises about files.
package version

// Release is the version that is written to files.
const Release = "0.9.0"

// commit is set by the linker: -X pacia/internal/version.commit=3b87147.
var commit string

// Program returns the version of this program: the release and, if make built it, the
// commit, such as 0.9.0+3b87147.
func Program() string {
	if commit == "" {
		return Release
	}
	return Release + "+" + commit
}
