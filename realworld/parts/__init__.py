"""One file for each software that is built and checked."""
