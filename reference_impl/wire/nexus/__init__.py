"""Operations of nexusAI's retrieval fusion on JSON."""
