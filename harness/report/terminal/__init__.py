"""What only a terminal shows: the screens of a run, a gate and a comparison, and the notices during a run."""
