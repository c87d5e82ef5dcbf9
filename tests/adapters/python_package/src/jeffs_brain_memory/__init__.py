"""A stand-in for the SDK: the public names that its working copy has, and next to nothing behind them."""
