package rdkit

/*
#include "rdkit.h"
*/
import "C"

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// MaxBlock is the length in bytes above which FromBlock refuses a molblock: enough for
// 2,000 atoms with as many bonds and coordinates of ten digits.
const MaxBlock = 1 << 18

// Lost is the stereochemistry that a molblock without coordinates does not tell. The values can be added.
type Lost uint8

// What may be lost.
const (
	LostCentres Lost = C.PACIA_LOST_CENTRES // the chiral flag announces centres, and none has a parity
	LostBonds   Lost = C.PACIA_LOST_BONDS   // whether double bonds are E or Z
)

// FromBlock returns the canonical SMILES of a molblock, V2000 or V3000, as at the beginning of
// records of SD files. Stereochemistry is that of its wedged bonds and double bonds or, if all coordinates are 0, that
// of the parities of its atoms; lost is what these do not tell. Centres of racemates and the like are in an extension
// between bars. Hydrogens become implicit. Errors in the block that do not concern its molecule are forgiven.
func FromBlock(ctx context.Context, block string) (smiles string, lost Lost, err error) {
	if len(block) > MaxBlock {
		return "", 0, fmt.Errorf("molblock of %d bytes, more than %d", len(block), MaxBlock)
	}
	answer, err := rewritten(ctx, block, C.PACIA_REWRITE_BLOCK)
	if err == nil {
		return fromAnswer(answer)
	}
	clean, ways := mended(block), []int32{C.PACIA_REWRITE_BLOCK, C.PACIA_REWRITE_BLOCK | C.PACIA_REWRITE_LAX}
	if clean == block {
		ways = ways[1:]
	}
	for _, how := range ways {
		if answer, again := rewritten(ctx, clean, how); again == nil {
			return fromAnswer(answer)
		}
	}
	return "", 0, err
}

func fromAnswer(answer string) (string, Lost, error) {
	if answer == "" {
		return "", 0, errAnswer
	}
	return answer[1:], Lost(answer[0]), nil
}

// version and numbers match the fourth line of a molblock: the numbers of its atoms and bonds, and its version, which
// may be missing.
var (
	version = regexp.MustCompile(`(?i)V[23]000\s*$`)
	numbers = regexp.MustCompile(`^[ \d]{2}\d[ \d]{2}\d(?: [ \d]*)?$`)
)

// CountsLine returns the number of the line of a molblock, from 0, that has the numbers of its atoms and bonds; −1 if
// none of the first lines has. It is 3 in a correct block.
func CountsLine(lines []string) int {
	lines = lines[:min(len(lines), 7)]
	if at := slices.IndexFunc(lines, version.MatchString); at >= 0 {
		return at
	}
	if len(lines) > 3 && numbers.MatchString(lines[3]) {
		return 3
	}
	return slices.IndexFunc(lines, numbers.MatchString)
}

// blockEnd matches the last line of a molblock, also with other spaces or letters.
var blockEnd = regexp.MustCompile(`^[Mm]\s+(?:END|end|End)\s*$`)

// IsBlockEnd reports whether a line ends a molblock, also with other spaces than "M  END" has.
func IsBlockEnd(line string) bool {
	return len(line) >= 5 && (line[0] == 'M' || line[0] == 'm') && blockEnd.MatchString(line)
}

// mended returns a molblock without blemishes that other programs accept: empty lines above the header or among
// the atoms, bonds and properties, a header with a line less, a fourth line without its version, white space at the
// ends of lines, tabs for spaces, and a last line that is missing or in another form.
func mended(block string) string {
	lines := strings.Split(strings.ReplaceAll(block, "\t", " "), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \r")
	}
	at := CountsLine(lines)
	if at < 0 {
		return block
	}
	counts := lines[at]
	if !strings.HasSuffix(strings.ToUpper(counts), "V3000") {
		counts = withVersion(counts)
	}
	kept := append(header(lines[:at]), counts)
	for _, line := range lines[at+1:] {
		if IsBlockEnd(line) {
			break
		}
		if line != "" {
			kept = append(kept, line)
		}
	}
	return strings.Join(append(kept, "M  END", ""), "\n")
}

// header returns the three lines above the fourth: empty ones are left out or added first.
func header(lines []string) []string {
	lines = slices.Clone(lines)
	for len(lines) > 3 {
		at := max(0, slices.Index(lines, ""))
		lines = slices.Delete(lines, at, at+1)
	}
	for len(lines) < 3 {
		lines = append(lines, "")
	}
	return lines
}

// withVersion returns the fourth line of a V2000 molblock with its numbers and its version. The third number is that of
// a list that nobody writes; the fifth is the chiral flag.
func withVersion(counts string) string {
	if len(counts) < 6 {
		return counts
	}
	flag := 0
	if len(counts) >= 15 {
		flag, _ = strconv.Atoi(strings.TrimSpace(counts[12:15])) // 0 if it is not a number
	}
	return fmt.Sprintf("%.6s  0  0%3d  0  0  0  0  0999 V2000", counts, flag)
}
