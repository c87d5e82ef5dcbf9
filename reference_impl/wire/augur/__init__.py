"""Operations of Augur on JSON."""
