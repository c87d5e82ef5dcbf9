package main

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/jeffs-brain/memory/go/retrieval"
)

// neutralQuery is one content word without intent: one match string, one embedded text.
const neutralQuery = "zebra"

var reach = struct {
	removed, outside error
	zero             func(limit string) error
}{
	zero: func(limit string) error {
		return unreachable("a %s of 0 is the SDK's default, as an absent one is", limit)
	},
	removed: outOfReach{"a pass after fusion removed results, so that the operation no longer shows"},
	outside: outOfReach{"the SDK's reranker answers with chunks, so it cannot name a document outside the list it was given"},
}

// named refuses notes that the legs would name themselves, before anything is ranked.
func named(notes []note) error {
	for _, n := range notes {
		if n.ID == "" && n.Path != "" {
			return unreachable("the SDK takes the path for the id of a note that has none, before it ranks")
		}
	}
	return nil
}

// hybrid runs both legs over scripted lists in mode hybrid-rerank, without the ladder.
func hybrid(bm25, vector []note, k int, reranker retrieval.Reranker, topN int) (retrieval.Response, error) {
	log := &callLog{}
	config := retrieval.Config{
		Source:   scriptedSource{log: log, bm25: always(bm25), vector: func() ([]note, error) { return vector, nil }},
		Embedder: scriptedEmbedder{log: log, vector: []float32{1, 0}},
		Reranker: reranker,
		RRFK:     k,
	}
	return retrieve(config, log, nil, retrieval.Request{
		Query: neutralQuery, Mode: retrieval.ModeHybridRerank, RerankTopN: topN, SkipRetryLadder: true,
		TopK: len(bm25) + len(vector) + 1, CandidateK: max(len(bm25), len(vector)) + 1,
	})
}

// retrieve runs one request with these trigram chunks and no others; log is that of the scripted parts.
func retrieve(
	config retrieval.Config, log *callLog, trigramChunks []note, request retrieval.Request,
) (retrieval.Response, error) {
	setTrigramChunks(&config, trigramChunks)
	retriever, err := retrieval.New(config)
	if err != nil {
		return retrieval.Response{}, err
	}
	response, err := retriever.Retrieve(context.Background(), request)
	if log.beyond != nil {
		err = log.beyond
	}
	return response, err
}

// setTrigramChunks fills the list although its element type is unexported. It is never nil:
// nil makes the SDK call the Source, which a scripted one cannot answer.
func setTrigramChunks(config *retrieval.Config, notes []note) {
	chunks := slices.Grow(config.TrigramChunks, len(notes)+1)[:len(notes)]
	for i, n := range notes {
		chunks[i].ID, chunks[i].Path = n.ID, n.Path
		chunks[i].Title, chunks[i].Summary, chunks[i].Content = n.Title, n.Summary, n.Content
	}
	config.TrigramChunks = chunks
}

// fuse gives the two lists to the two legs of mode hybrid-rerank, whose reranker sees the fused list. Where the SDK
// skips the reranker, the response has that list.
func fuse(request struct {
	Lists [][]note `json:"lists"`
	K     float64  `json:"k,omitempty"`
}) (object, error) {
	if len(request.Lists) > 2 {
		return nil, unreachable("fusion is seen only through retrieval's two legs, so with at most two lists")
	}
	if request.K != math.Trunc(request.K) || math.Abs(request.K) > 1<<31 {
		return nil, unreachable("the SDK's k is an integer")
	}
	lists := append(slices.Clone(request.Lists), nil, nil)
	for i := range lists[1] {
		lists[1][i].Similarity = lists[1][i].VectorSimilarity
	}
	seen := &witness{}
	response, err := hybrid(lists[0], lists[1], int(request.K), seen, len(lists[0])+len(lists[1])+1)
	if err != nil {
		return nil, err
	}
	fused := response.Chunks
	if seen.called {
		fused = seen.seen
	}
	if len(fused) != response.Trace.FusedHits {
		return nil, reach.removed
	}
	return object{"results": results(fused)}, nil
}

// unanimity sees the shortcut in the trace of mode hybrid-rerank. Path is the id, since the
// SDK takes the path for the id of a hit without one.
func unanimity(request struct {
	BM25     []string `json:"bm25"`
	Vector   []string `json:"vector"`
	AgreeMin *int     `json:"agreeMin,omitempty"`
}) (object, error) {
	if request.AgreeMin != nil && *request.AgreeMin != 2 {
		return nil, unreachable("agreeMin cannot be set; it is 2")
	}
	reranker := &scriptedReranker{log: &callLog{}, ranking: ranking{Order: "reverse"}}
	response, err := hybrid(notesOf(request.BM25), notesOf(request.Vector), 0, reranker, 0)
	switch {
	case err != nil:
		return nil, err
	case response.Trace.UnanimitySkipped:
		return object{"shortcut": object{"agreements": response.Trace.Agreements}}, nil
	case response.Trace.Reranked:
		return object{"shortcut": nil}, nil
	}
	return nil, unreachable("the shortcut is not consulted: %s", response.Trace.RerankSkipReason)
}

func notesOf(ids []string) []note {
	notes := make([]note, 0, len(ids))
	for _, id := range ids {
		notes = append(notes, note{ID: id, Path: id})
	}
	return notes
}

func documentText(request struct {
	Title   string `json:"title"`
	Summary string `json:"summary"`
	Content string `json:"content"`
}) (object, error) {
	chunk := retrieval.RetrievedChunk{Title: request.Title, Summary: request.Summary, Text: request.Content}
	return object{"text": retrieval.ComposeRerankText(chunk)}, nil
}

// applyRanking gives the results as the only list of mode hybrid-rerank, so that fusion keeps their order.
func applyRanking(request struct {
	Results []note  `json:"results"`
	TopN    int     `json:"topN"`
	Ranking ranking `json:"ranking"`
}) (object, error) {
	if request.TopN <= 0 {
		return nil, reach.zero("topN")
	}
	if err := named(request.Results); err != nil {
		return nil, err
	}
	reranker := &scriptedReranker{log: &callLog{}, ranking: request.Ranking}
	response, err := hybrid(request.Results, nil, 0, reranker, request.TopN)
	wanted := response.Trace.FusedHits
	if response.Trace.Reranked {
		wanted += reranker.given - reranker.received
	}
	switch {
	case err != nil:
		return nil, err
	case reranker.log.beyond != nil:
		return nil, reranker.log.beyond
	case response.Trace.FusedHits != len(request.Results):
		return nil, unreachable("fusion merges or skips these ids before the reranker sees them")
	case len(response.Chunks) != wanted:
		return nil, reach.removed
	}
	ids := []string{}
	for _, chunk := range response.Chunks {
		ids = append(ids, chunk.ChunkID)
	}
	return object{"ids": ids}, nil
}

// ranked runs a query over one list, that of the vector leg, and gives what the reranker sees: the list as fused and
// weighted, before the SDK sorts by date, drops what looks like a duplicate, or cuts.
func ranked(query string, notes []note, k int) ([]retrieval.RetrievedChunk, error) {
	if err := named(notes); err != nil {
		return nil, err
	}
	rows, err := rowsOf(notes)
	if err != nil {
		return nil, err
	}
	log, seen := &callLog{}, &witness{}
	config := retrieval.Config{
		Source:   scriptedSource{log: log, bm25: always(nil), vector: func() ([]note, error) { return notes, nil }, rows: rows},
		Embedder: scriptedEmbedder{log: log, vector: []float32{1, 0}},
		Reranker: seen,
		RRFK:     k,
	}
	all := len(notes) + 1
	response, err := retrieve(config, log, nil, retrieval.Request{
		Query: query, Mode: retrieval.ModeHybridRerank, TopK: all, CandidateK: all, RerankTopN: all, SkipRetryLadder: true,
	})
	if err == nil && (len(seen.seen) != len(notes) || response.Trace.FusedHits != len(notes)) {
		err = unreachable("this query or these ids do not bring all %d notes to the ranking", len(notes))
	}
	return seen.seen, err
}

func detectIntent(request queryRequest) (object, error) {
	response, err := ladder(request.Query, nil, 0)
	if err != nil {
		return nil, err
	}
	answer := object{"preferenceQuery": false, "concreteFactQuery": false}
	for _, intent := range strings.Split(response.Trace.Intent, "+") {
		switch intent {
		case "preference":
			answer["preferenceQuery"] = true
		case "concrete-fact":
			answer["concreteFactQuery"] = true
		case "":
		default:
			return nil, unreachable("the trace names an intent that the specification does not have: %q", intent)
		}
	}
	return answer, nil
}

func intentMultiplier(request struct {
	Query string `json:"query"`
	Note  struct {
		Path     string            `json:"path"`
		Title    string            `json:"title"`
		Summary  string            `json:"summary"`
		Content  string            `json:"content"`
		Metadata map[string]string `json:"metadata,omitempty"`
	} `json:"note"`
}) (object, error) {
	given := request.Note
	combined, err := weight(request.Query, note{
		Path: given.Path, Title: given.Title, Summary: given.Summary, Content: given.Content, Metadata: given.Metadata,
	})
	if err != nil {
		return nil, err
	}
	return object{"combined": combined}, nil
}

// weight is what the query multiplies the note's score by. The note is behind three others, where its score before
// weighting is 1/64: a power of two, so that the quotient is exact.
func weight(query string, observed note) (float64, error) {
	observed.ID = "observed"
	chunks, err := ranked(query, []note{
		{ID: "before-0", Path: "wiki/quartz.md", Content: "quartz"},
		{ID: "before-1", Path: "wiki/basalt.md", Content: "basalt"},
		{ID: "before-2", Path: "wiki/granite.md", Content: "granite"},
		observed,
	}, 0)
	if err != nil {
		return 0, err
	}
	at := slices.IndexFunc(chunks, func(chunk retrieval.RetrievedChunk) bool { return chunk.ChunkID == observed.ID })
	if at < 0 {
		return 0, reach.removed
	}
	return chunks[at].Score * 64, nil
}

// reweight is in reach only for scores that the SDK makes from ranks.
func reweight(request struct {
	Query   string `json:"query"`
	Results []note `json:"results"`
}) (object, error) {
	k := 0
	for rank, given := range request.Results {
		if rank == 0 && given.Score > 0 {
			k = int(math.Round(min(1/given.Score, 1<<31))) - 1
		}
		if k < 1 || given.Score != 1/float64(k+rank+1) {
			return nil, unreachable("the SDK weights scores that it made from ranks, 1/(k+rank); others cannot be given")
		}
	}
	weighted, err := ranked(request.Query, request.Results, k)
	if err != nil {
		return nil, err
	}
	return object{"results": results(weighted)}, nil
}

func results(chunks []retrieval.RetrievedChunk) []object {
	entries := []object{}
	for _, chunk := range chunks {
		entries = append(entries, object{
			"id": chunk.ChunkID, "path": chunk.Path, "title": chunk.Title, "summary": chunk.Summary,
			"content": chunk.Text, "score": chunk.Score,
		})
	}
	return entries
}
