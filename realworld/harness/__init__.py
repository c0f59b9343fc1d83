"""What the parts have in common: fetching, building, running, judging and the table at the end."""
