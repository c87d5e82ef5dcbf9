"""Parts of every system's strategies: choices, characters, texts, numbers and dates."""
