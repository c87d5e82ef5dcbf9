// Package brain has the paths of the stand-in.
package brain

import "context"

type Path string
type Store interface {
	Read(context.Context, Path) ([]byte, error)
}
