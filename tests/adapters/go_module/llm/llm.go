// Package llm has the embedder of the stand-in.
package llm

import "context"

type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	Dimensions() int
	Close() error
	Model() string
}
