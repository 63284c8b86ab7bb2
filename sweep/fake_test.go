package sweep_test

import (
	"os"
	"path/filepath"
	"testing"
)

// fakeTrain is a shell script in place of pacia train. It starts in a hundredth of the time of a
// program with libtorch. It makes the episodes of its settings, 20 ms each, and continues after those
// in its folder. With a width of 13 it fails, and with 14 it is killed.
const fakeTrain = `#!/bin/sh
words="$*"
while [ $# -gt 0 ]; do
	case $1 in
	--config) config=$2 ;;
	--out) out=$2 ;;
	esac
	shift
done
trap 'echo "pacia: stopped" >&2; exit 130' TERM
value() { sed -n "/^$1:/,/^[a-z]/s/^  $2: //p" "$config"; }
mkdir -p "$out" && cp "$config" "$out/config.yaml" || exit 1
touch "$out/metrics.jsonl"
echo "start with $words"
case $(value model width) in
13)
	echo "a warning" >&2
	echo "pacia: episode 3: the loss is not a finite number" >&2
	exit 1
	;;
14) kill -KILL $$ ;;
esac
episodes=$(value train episodes)
e=$(wc -l <"$out/metrics.jsonl")
while [ $e -lt $episodes ]; do
	sleep 0.02
	e=$((e + 1))
	echo "{\"episode\":$e,\"auc_test\":0.5}" >>"$out/metrics.jsonl" || exit 1
done
seed=$(sed -n 's/^seed: //p' "$config")
echo "{\"dataset\":\"embedded\",\"seed\":$seed,\"episodes\":$episodes,\"auc_last\":0.75}" >"$out/summary.json"
`

// fake writes fakeTrain, and returns its path.
func fake(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pacia")
	if err := os.WriteFile(path, []byte(fakeTrain), 0o700); err != nil { //nolint:gosec // it is run
		t.Fatal(err)
	}
	return path
}
