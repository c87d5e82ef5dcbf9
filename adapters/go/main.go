// Command adapter answers the conformance harness' requests from the published
// Go SDK: JSON-RPC 2.0, one message a line, on stdin and stdout.
package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"log"
	"os"
)

func main() {
	out := os.Stdout
	os.Stdout = os.Stderr // stdout belongs to the protocol: what the SDK prints goes to stderr
	if err := serve(bufio.NewReader(os.Stdin), out); err != nil {
		log.Fatal(err)
	}
}

// serve answers line by line, in order, until `shutdown` or the end of input.
func serve(in *bufio.Reader, out io.Writer) error {
	for {
		line, readErr := in.ReadBytes('\n') // grows to any length; a Scanner would refuse long lines
		if line = bytes.TrimSpace(line); len(line) > 0 {
			reply, last := answerLine(line)
			if _, err := out.Write(append(reply, '\n')); err != nil {
				return err
			}
			if last {
				return nil
			}
		}
		if errors.Is(readErr, io.EOF) {
			return nil
		}
		if readErr != nil {
			return readErr
		}
	}
}
