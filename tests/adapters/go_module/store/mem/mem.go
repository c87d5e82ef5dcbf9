// Package mem keeps files in a map.
package mem

import (
	"context"
	"errors"
	"github.com/jeffs-brain/memory/go/brain"
)

type Store struct{ F map[brain.Path][]byte }

func New() *Store                                                     { return &Store{map[brain.Path][]byte{}} }
func (s *Store) Read(_ context.Context, p brain.Path) ([]byte, error) { return s.F[p], nil }
func (s *Store) Write(_ context.Context, p brain.Path, b []byte) error {
	if p == "" {
		return errors.New("empty path")
	}
	s.F[p] = b
	return nil
}
