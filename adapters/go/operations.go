package main

import (
	"maps"
	"runtime"
	"runtime/debug"
	"slices"
	"unicode"
)

const sdk = "github.com/jeffs-brain/memory/go"

var operations = map[string]handler{
	"query.normalise":     operation(normalise),
	"query.parse":         operation(parse),
	"query.expandAliases": operation(expandAliases),
	"query.compile":       operation(compile),
	"query.pipeline":      operation(pipeline),
	"temporal.parseDate":  operation(parseDate),
	"temporal.expand":     operation(expandTemporal),
	"fusion.rrf":          operation(fuse),
	"rerank.unanimity":    operation(unanimity),
	"rerank.documentText": operation(documentText),
	"rerank.apply":        operation(applyRanking),
	"intent.detect":       operation(detectIntent),
	"intent.matches":      operation(intentMatches),
	"intent.multiplier":   operation(intentMultiplier),
	"intent.reweight":     operation(reweight),
	"retry.strongestTerm": operation(strongestTerm),
	"retry.queryTokens":   operation(queryTokens),
	"trigram.jaccard":     operation(jaccard),
	"trigram.search":      operation(searchTrigrams),
	"retrieval.search":    operation(searchRaw),
}

var unsupported = map[string]string{
	"stopwords.list":      "the stop-word sets are unexported; the parser shows whether a given word is one, and nothing lists them",
	"temporal.augment":    "the augmenting function is unexported, and retrieval shows only match strings compiled from its text",
	"temporal.dateTokens": "the function is unexported, and the index shows tokens of the dates of notes, not of an anchor",
	"retry.sanitise":      "the function is unexported, and the ladder shows only the match string compiled from its text",
	"trigram.slugText":    "the function is unexported, and only similarities made from its text are shown",
	"trigram.grams":       "the gram sets are unexported, and only similarities made from them are shown",
}

// unobservable holds the parts of an answer that the SDK cannot show. Its result type has a plain number
// where a rank, a similarity or a rerank score may be absent, so that absence reads as zero.
var unobservable = map[string][]string{
	"fusion.rrf":        {"/results/*/bm25Rank", "/results/*/vectorSimilarity", "/results/*/rerankScore"},
	"rerank.unanimity":  {"/shortcut/ids"},
	"intent.multiplier": {"/preference", "/concreteFact"},
	"intent.reweight":   {"/results/*/bm25Rank", "/results/*/vectorSimilarity", "/results/*/rerankScore"},
	"trigram.search":    {"/hits/*/similarity"},
	"retrieval.search": {
		"/results/*/bm25Rank", "/results/*/vectorSimilarity", "/results/*/rerankScore",
		"/calls/*/documents/*/text", "/timed",
	},
}

// introduction is the result of `initialize`.
func introduction() object {
	return object{
		"protocolVersion": 1,
		"implementation": object{
			"name":     sdk,
			"version":  moduleVersion(sdk),
			"language": "Go",
			"runtime":  runtime.Version(),
			"source":   source(),
		},
		"operations":   slices.Sorted(maps.Keys(operations)),
		"unsupported":  unsupported,
		"unobservable": unobservable,
		"versions": object{
			"unicode": unicode.Version,
			"text":    moduleVersion("golang.org/x/text"),
			"driver":  "modernc.org/sqlite " + moduleVersion("modernc.org/sqlite"),
			"sqlite":  sqliteVersion(),
		},
	}
}

// workingCopy is the version of a module built from source: only releases have a number.
const workingCopy = "working copy"

func source() string {
	if moduleVersion(sdk) == workingCopy {
		return "a working copy"
	}
	return "https://" + sdk
}

// moduleVersion reads what was really linked into this program.
func moduleVersion(path string) string {
	build, known := debug.ReadBuildInfo()
	if !known {
		return "unknown"
	}
	for _, module := range build.Deps {
		if module.Path != path {
			continue
		}
		if module.Replace != nil {
			return workingCopy
		}
		return module.Version
	}
	return "unknown"
}
