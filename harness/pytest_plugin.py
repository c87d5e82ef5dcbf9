"""`pytest cases/`: one item a case and implementation. The module that pytest loads by the entry point of the package."""
