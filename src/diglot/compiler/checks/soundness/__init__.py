"""Whether a net always comes to its end, with a run that shows where it does not."""
