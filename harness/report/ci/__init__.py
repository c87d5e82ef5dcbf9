"""Files for CI systems and other programs: one module for each format."""
