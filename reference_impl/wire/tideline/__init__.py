"""Operations of Tideline on JSON."""
