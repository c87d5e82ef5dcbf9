package main

import (
	"context"
	"errors"
	"slices"

	"github.com/jeffs-brain/memory/go/retrieval"
)

// note is a chunk, a candidate or a result of the protocol. Ranks and scores that come
// with it are read and not passed on: the SDK makes its own.
type note struct {
	ID               string   `json:"id"`
	Path             string   `json:"path"`
	Title            string   `json:"title"`
	Summary          string   `json:"summary"`
	Content          string   `json:"content"`
	Tags             []string `json:"tags,omitempty"`
	Similarity       float64  `json:"similarity,omitempty"`
	Score            float64  `json:"score,omitempty"`
	BM25Rank         *int     `json:"bm25Rank,omitempty"`
	VectorSimilarity float64  `json:"vectorSimilarity,omitempty"`
	RerankScore      float64  `json:"rerankScore,omitempty"`
}

// callLog holds the SDK's calls of the scripted parts, in order.
type callLog struct{ calls []object }

func (l *callLog) add(call object) { l.calls = append(l.calls, call) }

func (l *callLog) called(part string) bool {
	return slices.ContainsFunc(l.calls, func(call object) bool { return call["to"] == part })
}

// scriptedSource answers both legs from the request. Source.Chunks returns an unexported type,
// so it can only be embedded; it is nil and never called, since every Config sets TrigramChunks.
type scriptedSource struct {
	retrieval.Source
	log    *callLog
	bm25   func(match string) ([]note, error)
	vector func() ([]note, error)
}

func (s scriptedSource) SearchBM25(
	_ context.Context, match string, limit int, _ retrieval.Filters,
) ([]retrieval.BM25Hit, error) {
	s.log.add(object{"to": "bm25", "match": match, "limit": limit})
	notes, err := s.bm25(match)
	hits := []retrieval.BM25Hit{}
	for _, n := range first(notes, limit) {
		hits = append(hits, retrieval.BM25Hit{ID: n.ID, Path: n.Path, Title: n.Title, Summary: n.Summary, Content: n.Content})
	}
	return hits, err
}

func (s scriptedSource) SearchVector(
	_ context.Context, _ []float32, limit int, _ retrieval.Filters,
) ([]retrieval.VectorHit, error) {
	return vectorHits(s.log, s.vector, limit)
}

func vectorHits(log *callLog, script func() ([]note, error), limit int) ([]retrieval.VectorHit, error) {
	log.add(object{"to": "vector", "limit": limit})
	notes, err := script()
	hits := []retrieval.VectorHit{}
	for _, n := range first(notes, limit) {
		hits = append(hits, retrieval.VectorHit{
			ID: n.ID, Path: n.Path, Title: n.Title, Summary: n.Summary, Content: n.Content, Similarity: n.Similarity,
		})
	}
	return hits, err
}

// scriptedEmbedder gives every text the same vector, empty if so scripted.
type scriptedEmbedder struct {
	log    *callLog
	vector []float32
	fails  bool
}

func (e scriptedEmbedder) Embed(_ context.Context, texts []string) ([][]float32, error) {
	e.log.add(object{"to": "embed", "texts": slices.Clone(texts)})
	if e.fails {
		return nil, errors.New("scripted embedder failure")
	}
	vectors := make([][]float32, len(texts))
	for i := range vectors {
		vectors[i] = e.vector
	}
	return vectors, nil
}

func (e scriptedEmbedder) Dimensions() int { return len(e.vector) }
func (e scriptedEmbedder) Close() error    { return nil }

type ranking struct {
	Hits []struct {
		Index int     `json:"index"`
		Score float64 `json:"score"`
	} `json:"hits,omitempty"`
	Order string `json:"order,omitempty"`
	Fails bool   `json:"fails,omitempty"`
}

// scriptedReranker returns the chunks in the ranking's order. The SDK's reranker answers with
// chunks, so an index outside the head cannot be given; it is noted, and the request refused.
type scriptedReranker struct {
	log      *callLog
	ranking  ranking
	outside  bool
	given    int // chunks returned
	received int // chunks received
}

func (r *scriptedReranker) Rerank(
	_ context.Context, query string, head []retrieval.RetrievedChunk,
) ([]retrieval.RetrievedChunk, error) {
	documents := make([]object, 0, len(head))
	for _, chunk := range head {
		documents = append(documents, object{"id": chunk.ChunkID})
	}
	r.log.add(object{"to": "rerank", "query": query, "documents": documents})
	if r.ranking.Fails {
		return nil, errors.New("scripted reranker failure")
	}
	answer := r.order(head)
	r.received, r.given = len(head), len(answer)
	return answer, nil
}

func (r *scriptedReranker) order(head []retrieval.RetrievedChunk) []retrieval.RetrievedChunk {
	answer := []retrieval.RetrievedChunk{}
	if r.ranking.Order == "reverse" {
		for i := range head {
			chunk := head[len(head)-1-i]
			chunk.RerankScore = float64(len(head) - i)
			answer = append(answer, chunk)
		}
		return answer
	}
	for _, hit := range r.ranking.Hits {
		if hit.Index < 0 || hit.Index >= len(head) {
			r.outside = true
			continue
		}
		chunk := head[hit.Index]
		chunk.RerankScore = hit.Score
		answer = append(answer, chunk)
	}
	return answer
}

// always is a script that ignores the match string.
func always(notes []note) func(string) ([]note, error) {
	return func(string) ([]note, error) { return notes, nil }
}

func first(notes []note, limit int) []note {
	return notes[:max(0, min(limit, len(notes)))]
}
