module github.com/jeffs-brain/memory/go

go 1.25.0
