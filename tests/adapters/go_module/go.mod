// A stand-in for the SDK's module: its path, and those of its exported names that the adapter uses, with next to nothing
// behind them. It shows that a working copy is compiled in and asked, and says nothing about the SDK.
module github.com/jeffs-brain/memory/go

go 1.25.0
