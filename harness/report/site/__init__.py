"""Run records and a corpus → the pages of a static site. Pure: the caller writes the pages."""
