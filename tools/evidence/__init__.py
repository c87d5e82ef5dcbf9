"""Evidence commands of the corpus: runs each one and compares its output with the expected answers."""
