// Runs an exported conformance corpus with `go test`. `parity export` writes this file.
//
// Put it into a package of your module, beside the function that answers a request:
//
//	func answer(operation string, request map[string]any) (any, error)
//
// It returns a value for encoding/json, an error whose text is its type in the specification, or errUnsupported.
// CONFORMANCE_CORPUS is the folder of the export (default: testdata/conformance).
package conformance

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var errUnsupported = errors.New("unsupported")

type rules struct {
	Tolerance                      *struct{ Absolute, Ulps *float64 }
	Unordered, Ignored, IfExpected bool
	Properties                     map[string]rules
	Items                          *rules
}

type response struct {
	Answer any      `json:"answer,omitempty"`
	Error  string   `json:"error,omitempty"`
	Free   []string `json:"free,omitempty"`
}

type conformanceCase struct {
	Name, Operation string
	Request         map[string]any
	Expected        response
	Readings        map[string]response
	Environment     map[string]string
}

func TestConformance(t *testing.T) {
	var corpus struct {
		Format     int
		Operations map[string]struct{ Rules rules }
		Files      []struct{ File, Suite string }
	}
	read(t, "corpus.json", &corpus)
	if corpus.Format != 1 || len(corpus.Files) == 0 {
		t.Fatalf("corpus.json: format %d with %d files; this runner needs format 1 and a case", corpus.Format, len(corpus.Files))
	}
	for _, file := range corpus.Files {
		var suite struct{ Cases []conformanceCase }
		if file.Suite != "" {
			read(t, file.File, &suite)
		}
		for _, one := range suite.Cases {
			t.Run(one.Name, func(t *testing.T) { check(t, one, corpus.Operations[one.Operation].Rules) })
		}
	}
}

func check(t *testing.T, one conformanceCase, by rules) {
	for name, value := range one.Environment {
		if os.Getenv(name) != value {
			t.Skipf("run it with %s=%s", name, value)
		}
	}
	value, failure := answer(one.Operation, one.Request)
	if errors.Is(failure, errUnsupported) {
		t.Skip("unsupported")
	}
	var got response
	if data, broken := json.Marshal(value); broken != nil || json.Unmarshal(data, &got.Answer) != nil {
		t.Fatalf("the answer is not JSON: %v", broken)
	}
	if failure != nil {
		got = response{Error: failure.Error()}
	}
	for _, wanted := range append(slices.Collect(maps.Values(one.Readings)), one.Expected) {
		var free [][]string
		for _, place := range wanted.Free {
			free = append(free, strings.Split(place, "/")[1:])
		}
		if wanted.Error == got.Error && (got.Error != "" || equal(wanted.Answer, got.Answer, by, free)) {
			return
		}
	}
	want, _ := json.Marshal(one.Expected)
	have, _ := json.Marshal(got)
	t.Errorf("wanted %s\ngot    %s", want, have)
}

// equal compares as the corpus demands; free has the paths below this place that may have any value, * for each one.
func equal(wanted, got any, by rules, free [][]string) bool {
	switch want := wanted.(type) {
	case map[string]any:
		if texts, ok := want["$contains"].([]any); ok {
			text, isText := got.(string)
			isShort := float64(len([]rune(plain(text)))) <= want["$maxLength"].(float64)
			return isText && isShort && slices.ContainsFunc(texts, func(one any) bool { return strings.Contains(plain(text), plain(one)) })
		}
		have, ok := got.(map[string]any)
		all := maps.Clone(want)
		maps.Copy(all, have)
		for name := range all {
			paths, isFree := below(free, name)
			value, expected := want[name]
			other, found := have[name]
			rule := by.Properties[name]
			ok = ok && (rule.Ignored || isFree || (!expected && rule.IfExpected) ||
				expected && found && equal(value, other, rule, paths))
		}
		return ok
	case []any:
		have, ok := got.([]any)
		ok = ok && len(have) == len(want)
		have = slices.Clone(have)
		items := *cmp.Or(by.Items, &rules{})
		for index := 0; ok && index < len(want); index++ {
			if !by.Unordered {
				paths, isFree := below(free, strconv.Itoa(index))
				ok = isFree || equal(want[index], have[index], items, paths)
				continue
			} // the first element that matches is enough unless tolerances overlap
			at := slices.IndexFunc(have, func(one any) bool { return equal(want[index], one, items, nil) })
			if ok = at >= 0; ok {
				have = slices.Delete(have, at, at+1)
			}
		}
		return ok
	case float64:
		have, ok := got.(float64)
		return ok && (want == have || near(want, have, by))
	}
	return wanted == got
}

func plain(text any) string { return strings.Join(strings.Fields(strings.ToLower(text.(string))), " ") }

func below(free [][]string, token string) (found [][]string, isFree bool) {
	for _, path := range free {
		if name := strings.NewReplacer("~1", "/", "~0", "~").Replace(path[0]); name == "*" || name == token {
			found, isFree = append(found, path[1:]), isFree || len(path) == 1
		}
	}
	return found, isFree
}

func near(want, have float64, by rules) bool {
	if by.Tolerance == nil || by.Tolerance.Ulps == nil {
		return by.Tolerance != nil && math.Abs(want-have) <= *by.Tolerance.Absolute
	}
	return math.Abs(float64(rank(want)-rank(have))) <= *by.Tolerance.Ulps
}

// rank is the place of a number among all doubles.
func rank(number float64) int64 {
	return int64(math.Float64bits(math.Abs(number))) * int64(math.Copysign(1, number))
}

func read(t *testing.T, file string, into any) {
	folder := cmp.Or(os.Getenv("CONFORMANCE_CORPUS"), filepath.Join("testdata", "conformance"))
	data, failure := os.ReadFile(filepath.Join(folder, file))
	if failure = cmp.Or(failure, json.Unmarshal(data, into)); failure != nil {
		t.Fatal(failure)
	}
}
