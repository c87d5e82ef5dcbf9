package main

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

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

// limits uses the SDK's zero values for what is absent: there they mean the default.
type limits struct {
	Query           string `json:"query"`
	Mode            string `json:"mode,omitempty"`
	TopK            int    `json:"topK,omitempty"`
	CandidateK      int    `json:"candidateK,omitempty"`
	RerankTopN      int    `json:"rerankTopN,omitempty"`
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

// searchRaw runs the whole pipeline over scripted parts or over the SDK's own index.
func searchRaw(request searchRequest) (object, error) {
	defer useAliases(request.Aliases)()
	log := &callLog{}
	config := retrieval.Config{}
	if request.Vector != nil {
		config.Embedder = request.Vector.embedder(log)
	}
	reranker := &scriptedReranker{log: log}
	if request.Ranking != nil {
		reranker.ranking = *request.Ranking
		config.Reranker = reranker
	}
	response, ids, err := request.run(config, log)
	if err == nil && reranker.outside {
		err = reach.outside
	}
	if err != nil {
		return nil, err
	}
	for i, chunk := range response.Chunks {
		response.Chunks[i].ChunkID = ids.of(chunk.ChunkID)
	}
	return object{
		"results": results(response.Chunks),
		"trace":   trace(response),
		"calls":   ids.inCalls(log.calls),
	}, nil
}

// run searches the index that the request describes; ids undoes the renaming that a real index needs.
func (r searchRequest) run(config retrieval.Config, log *callLog) (retrieval.Response, renamed, error) {
	if r.Index.Chunks == nil {
		config.Source = scriptedSource{log: log, bm25: r.Index.answer, vector: r.Vector.answer}
		response, err := retrieve(config, r.TrigramChunks, r.Request.sdk())
		return response, nil, err
	}
	index, ids, err := indexNotes(r.Index.Chunks)
	if err != nil {
		return retrieval.Response{}, nil, err
	}
	defer index.close()
	source, err := retrieval.NewIndexSource(index.Index, retrieval.IndexSourceOptions{})
	if err != nil {
		return retrieval.Response{}, nil, err
	}
	config.Source = indexedSource{IndexSource: source, log: log, vector: ids.script(r.Vector)}
	if r.TrigramChunks != nil {
		setTrigramChunks(&config, r.TrigramChunks)
	}
	retriever, err := retrieval.New(config)
	if err != nil {
		return retrieval.Response{}, nil, err
	}
	response, err := retriever.Retrieve(context.Background(), r.Request.sdk())
	return response, ids, err
}

// sdk translates the request. The SDK has no rerank switch: it reranks in mode hybrid-rerank and
// nowhere else, so that an explicit `rerank: true` in mode hybrid is that mode.
func (l limits) sdk() retrieval.Request {
	mode := retrieval.Mode(l.Mode)
	if mode == retrieval.ModeHybrid && l.Rerank != nil && *l.Rerank {
		mode = retrieval.ModeHybridRerank
	}
	return retrieval.Request{
		Query: l.Query, Mode: mode, TopK: l.TopK, CandidateK: l.CandidateK, RerankTopN: l.RerankTopN,
		SkipRetryLadder: l.SkipRetryLadder,
	}
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
func trace(response retrieval.Response) object {
	reported := response.Trace
	members := object{
		"mode":           specMode(reported.EffectiveMode),
		"bm25Count":      reported.BM25Hits,
		"vectorCount":    reported.VectorHits,
		"fellBackToBM25": reported.FellBackToBM25,
		"reranked":       reported.Reranked,
		"attempts":       attempts(response.Attempts),
		"extra":          object{"trace": reported, "attempts": response.Attempts},
	}
	if initial, ran := rung(response, "initial"); ran {
		members["compiledQuery"] = initial.Query
	}
	if reported.RerankSkipReason != "" {
		members["rerankSkippedReason"] = reported.RerankSkipReason
	}
	if reported.UnanimitySkipped {
		members["unanimity"] = object{"agreements": reported.Agreements}
	}
	return members
}

func attempts(rows []retrieval.Attempt) []object {
	entries := []object{}
	for _, row := range rows {
		entries = append(entries, object{"strategy": row.Reason, "query": row.Query, "hits": row.Chunks})
	}
	return entries
}
