module parity/adapters/go

go 1.25.0

require github.com/jeffs-brain/memory/go v0.3.0
