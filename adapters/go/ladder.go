package main

import (
	"slices"
	"strings"

	"github.com/jeffs-brain/memory/go/retrieval"
	"github.com/jeffs-brain/memory/go/search"
)

// ladder runs a query that finds nothing but trigram hits; limit 0 is the SDK's own.
func ladder(query string, trigramChunks []note, limit int) (retrieval.Response, error) {
	log := &callLog{}
	config := retrieval.Config{Source: scriptedSource{log: log, bm25: always(nil)}}
	request := retrieval.Request{Query: query, Mode: retrieval.ModeBM25, CandidateK: limit, TopK: limit}
	return retrieve(config, log, trigramChunks, request)
}

// rung finds a row of the attempt log.
func rung(response retrieval.Response, reason string) (retrieval.Attempt, bool) {
	at := slices.IndexFunc(response.Attempts, func(a retrieval.Attempt) bool { return a.Reason == reason })
	if at < 0 {
		return retrieval.Attempt{}, false
	}
	return response.Attempts[at], true
}

// strongestTerm reads rung 4, which runs whenever there is a strongest term. Its row holds the term's match string;
// the term is the one token of rung 5 that compiles to it.
func strongestTerm(request queryRequest) (object, error) {
	response, err := ladder(request.Query, nil, 0)
	if err != nil {
		return nil, err
	}
	row, ran := rung(response, "refreshed_strongest")
	if !ran {
		return object{"term": nil}, nil
	}
	tokens, _ := rung(response, "trigram_fuzzy")
	compiled := []string{}
	for _, token := range strings.Fields(tokens.Query) {
		if search.BuildFTS5Expr(search.Parse(token).Tokens) == row.Query && !slices.Contains(compiled, token) {
			compiled = append(compiled, token)
		}
	}
	if len(compiled) != 1 {
		return nil, unreachable("the ladder shows a match string, %q, and it is that of %d tokens", row.Query, len(compiled))
	}
	return object{"term": compiled[0]}, nil
}

// queryTokens reads rung 5, whose row holds the tokens; it does not run where there are none.
func queryTokens(request queryRequest) (object, error) {
	response, err := ladder(request.Query, nil, 0)
	if err != nil {
		return nil, err
	}
	row, _ := rung(response, "trigram_fuzzy")
	return object{"tokens": append([]string{}, strings.Fields(row.Query)...)}, nil
}

// jaccard gives one text as the path of an index and the other as the query.
func jaccard(request struct {
	A string `json:"a"`
	B string `json:"b"`
}) (object, error) {
	path, text := request.A, request.B
	if !whole(path) {
		path, text = text, path
	}
	if !whole(path) {
		return nil, unreachable("one text must serve as a path, and the SDK cuts both: at a slash or at .md")
	}
	hits := search.BuildTrigramIndex([]string{path}).FuzzySearch(text, 1)
	if len(hits) == 0 {
		return nil, unreachable("similarities below the 0.3 threshold are not shown")
	}
	return object{"similarity": hits[0].Similarity}, nil
}

// whole is true of a text that the SDK keeps whole when it is given as a path.
func whole(text string) bool {
	return text != "" && !strings.Contains(text, "/") && !strings.HasSuffix(strings.ToLower(text), ".md")
}

// searchTrigrams runs rung 5, which shows the chunks found and their order.
func searchTrigrams(request struct {
	Chunks []note   `json:"chunks"`
	Tokens []string `json:"tokens"`
	Limit  int      `json:"limit"`
}) (object, error) {
	if request.Limit <= 0 {
		return nil, unreachable("a limit of zero or less means the default")
	}
	response, err := ladder(strings.Join(request.Tokens, " "), request.Chunks, request.Limit)
	if err != nil {
		return nil, err
	}
	row, ran := rung(response, "trigram_fuzzy")
	if !ran || !slices.Equal(strings.Fields(row.Query), request.Tokens) {
		return nil, unreachable("the tokens come from a query, and no query gives these")
	}
	if len(response.Chunks) != row.Chunks {
		return nil, reach.removed
	}
	hits := []object{}
	for rank, chunk := range response.Chunks {
		if chunk.Score != 1/float64(61+rank) {
			return nil, unreachable("a pass after the rung weights these hits")
		}
		hits = append(hits, object{"id": chunk.ChunkID, "path": chunk.Path})
	}
	return object{"hits": hits}, nil
}
