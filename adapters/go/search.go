package main

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/jeffs-brain/memory/go/retrieval"
)

type searchRequest struct {
	Index         indexSpec           `json:"index"`
	Request       limits              `json:"request"`
	Vector        *vectorSpec         `json:"vector,omitempty"`
	Ranking       *ranking            `json:"ranking,omitempty"`
	Aliases       map[string][]string `json:"aliases,omitempty"`
	TrigramChunks []note              `json:"trigramChunks,omitempty"`
}

// limits has an absent limit as nil: to the SDK it is 0, its default, so that no request can carry a 0.
type limits struct {
	Query           string `json:"query"`
	QuestionDate    string `json:"questionDate,omitempty"`
	Mode            string `json:"mode,omitempty"`
	TopK            *int   `json:"topK,omitempty"`
	CandidateK      *int   `json:"candidateK,omitempty"`
	RerankTopN      *int   `json:"rerankTopN,omitempty"`
	Rerank          *bool  `json:"rerank,omitempty"`
	SkipRetryLadder bool   `json:"skipRetryLadder,omitempty"`
}

type indexSpec struct {
	Script    map[string][]note `json:"script,omitempty"`
	Otherwise []note            `json:"otherwise,omitempty"`
	Fails     failing           `json:"fails,omitempty"`
	Chunks    []note            `json:"chunks,omitempty"`
}

type vectorSpec struct {
	Hits      []note    `json:"hits,omitempty"`
	Embedding []float32 `json:"embedding,omitempty"`
	Fails     string    `json:"fails,omitempty"`
}

// failing is true, or the match strings that raise.
type failing struct {
	all   bool
	these []string
}

func (f *failing) UnmarshalJSON(data []byte) error {
	if err := json.Unmarshal(data, &f.all); err == nil {
		return nil
	}
	return json.Unmarshal(data, &f.these)
}

// searchRaw runs the whole pipeline over scripted parts, or over a real index in the place of the scripted one.
func searchRaw(request searchRequest) (object, error) {
	defer useAliases(request.Aliases)()
	given, err := request.sdk()
	if err != nil {
		return nil, err
	}
	rows, err := rowsOf(request.notes()...)
	if err != nil {
		return nil, err
	}
	log := &callLog{}
	source := scriptedSource{log: log, bm25: request.Index.answer, vector: request.Vector.answer, rows: rows}
	trigramChunks := request.TrigramChunks
	if request.Index.Chunks != nil {
		index, err := openTable(request.Index.Chunks)
		if err != nil {
			return nil, err
		}
		defer index.close()
		source.bm25 = index.answer
		if trigramChunks == nil {
			trigramChunks = request.Index.Chunks
		}
	}
	config := retrieval.Config{Source: source}
	if request.Vector != nil {
		config.Embedder = request.Vector.embedder(log)
	}
	if request.Ranking != nil {
		config.Reranker = &scriptedReranker{log: log, ranking: *request.Ranking}
	}
	response, err := retrieve(config, log, trigramChunks, given)
	if err != nil {
		return nil, err
	}
	return object{
		"results": results(response.Chunks),
		"trace":   trace(response, log),
		"calls":   append([]object{}, log.calls...),
	}, nil
}

// notes are all notes of the request, as often as it names them.
func (r searchRequest) notes() [][]note {
	lists := append(slices.Collect(maps.Values(r.Index.Script)), r.Index.Otherwise, r.Index.Chunks, r.TrigramChunks)
	if r.Vector != nil {
		lists = append(lists, r.Vector.Hits)
	}
	return lists
}

// sdk translates the request. The SDK has no rerank switch: it reranks in mode hybrid-rerank and
// nowhere else, so that an explicit `rerank: true` in mode hybrid is that mode. Mode auto is hybrid where there is an
// embedder; with a reranker too, hybrid-rerank is the one way to say so.
func (r searchRequest) sdk() (retrieval.Request, error) {
	l := r.Request
	mode := retrieval.Mode(l.Mode)
	auto := (mode == "" || mode == retrieval.ModeAuto) && r.Vector != nil && r.Ranking != nil
	if l.Rerank != nil && *l.Rerank && (auto || mode == retrieval.ModeHybrid) {
		mode = retrieval.ModeHybridRerank
	}
	given := retrieval.Request{
		Query: l.Query, QuestionDate: l.QuestionDate, Mode: mode, SkipRetryLadder: l.SkipRetryLadder,
	}
	for _, limit := range []struct {
		name string
		from *int
		to   *int
	}{
		{"topK", l.TopK, &given.TopK},
		{"candidateK", l.CandidateK, &given.CandidateK},
		{"rerankTopN", l.RerankTopN, &given.RerankTopN},
	} {
		if limit.from == nil {
			continue
		}
		if *limit.from <= 0 {
			return given, reach.zero(limit.name)
		}
		*limit.to = *limit.from
	}
	return given, nil
}

// specMode undoes the translation of the mode in sdk: trace.reranked shows the reranking.
func specMode(mode retrieval.Mode) string {
	if mode == retrieval.ModeHybridRerank {
		return string(retrieval.ModeHybrid)
	}
	return string(mode)
}

func (i indexSpec) answer(match string) ([]note, error) {
	if i.Fails.all || slices.Contains(i.Fails.these, match) {
		return nil, errors.New("scripted index failure")
	}
	if notes, scripted := i.Script[match]; scripted {
		return notes, nil
	}
	return i.Otherwise, nil
}

func (v *vectorSpec) embedder(log *callLog) scriptedEmbedder {
	if v.Embedding != nil {
		return scriptedEmbedder{log: log, vector: v.Embedding}
	}
	return scriptedEmbedder{log: log, vector: []float32{1, 0}, fails: v.Fails == "embed"}
}

func (v *vectorSpec) answer() ([]note, error) {
	if v.Fails == "search" {
		return nil, errors.New("scripted vector search failure")
	}
	return v.Hits, nil
}

// trace reports under the specification's names what the SDK reports under its own. The compiled
// query is that of the initial attempt, a row which the SDK writes for every search.
func trace(response retrieval.Response, log *callLog) object {
	reported := response.Trace
	members := object{
		"mode":           specMode(reported.EffectiveMode),
		"bm25Count":      reported.BM25Hits,
		"vectorCount":    reported.VectorHits,
		"fellBackToBM25": reported.FellBackToBM25,
		"reranked":       reported.Reranked,
		"attempts":       attempts(response.Attempts, log),
		"extra":          object{"trace": reported, "attempts": response.Attempts},
	}
	if initial, ran := rung(response, "initial"); ran {
		members["compiledQuery"] = log.sent(initial.Query)
	}
	skipped := reported.RerankSkipReason
	if skipped != "" && skipped != rerankFailed {
		members["rerankSkippedReason"] = skipped
	}
	switch {
	case reported.VectorSkipReason == vectorFailed:
		members["errorStage"] = "vector"
	case skipped == rerankFailed:
		members["errorStage"] = "rerank"
	}
	if reported.UnanimitySkipped {
		members["unanimity"] = object{"agreements": reported.Agreements}
	}
	return members
}

// The SDK reports a stage that failed as the reason why the stage was skipped.
const (
	rerankFailed = "rerank_failed"
	vectorFailed = "vector_error"
)

func attempts(rows []retrieval.Attempt, log *callLog) []object {
	entries := []object{}
	for _, row := range rows {
		entries = append(entries, object{"strategy": row.Reason, "query": log.sent(row.Query), "hits": row.Chunks})
	}
	return entries
}

// sent is the first match string of a row. The SDK joins the match strings of one rung for its display, and sends
// them one by one.
func (l *callLog) sent(query string) string {
	for _, call := range l.calls {
		if match, _ := call["match"].(string); match != "" && strings.HasPrefix(query, match+" || ") {
			return match
		}
	}
	return query
}
