"""Operations of the Jeffs Brain retrieval specification on JSON."""
