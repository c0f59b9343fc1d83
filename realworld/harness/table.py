"""The table at the end."""

HEADINGS = ("part", "check", "expected", "seen", "")
TIME_HEADINGS = ("part", "CPU time", "plain", "Nonius", "factor")
KINDS = ("precision-loss", "branch-flip", "cast-flip", "nan", "inf")
COUNT_HEADINGS = ("part", "findings in", "all", "in output", *KINDS, "operations shadowed", "calls")
SHOWN_HEADINGS = ("part", "run", "sightings", "findings", "in output", "classed", "shown")


def render(parts):
    rows = [(p.name, c.what, c.expected, c.seen, "ok" if c.holds else "FAIL") for p in parts for c in p.checks]
    times = [(p.name, t.what, f"{t.plain_s:.2f} s", f"{t.nonius_s:.2f} s", _factor(t)) for p in parts for t in p.timings]
    failed = sum(not c.holds for p in parts for c in p.checks)
    verdict = f"{failed} of {len(rows)} expectations failed" if failed else f"all {len(rows)} expectations hold"
    minutes = sum(p.elapsed_s for p in parts) / 60
    counts = [_count(p, c) for p in parts for c in p.counts]
    shown = [_shown(p, s) for p in parts for s in p.shown]
    sections = ((HEADINGS, rows), (TIME_HEADINGS, times), (COUNT_HEADINGS, counts), (SHOWN_HEADINGS, shown))
    tables = [_columns(headings, lines) for headings, lines in sections if lines]
    return "\n" + "\n".join(tables) + f"\n{verdict}; {minutes:.1f} minutes\n"


def _factor(timing):
    """Nothing is said of runs so short that starting the program is most of them."""
    return f"{timing.nonius_s / timing.plain_s:.1f}x" if timing.plain_s > 0.05 else ""


def _count(part, count):
    kinds = (str(count.kinds.get(kind, 0)) for kind in KINDS)
    return (part.name, count.what, str(count.findings), str(count.in_output), *kinds, f"{count.operations:.1%}", f"{count.calls:.1%}")


def _shown(part, shown):
    numbers = (shown.sightings, shown.findings, shown.in_output, shown.classed, shown.shown)
    return (part.name, shown.what, *map(str, numbers))


def _columns(headings, rows):
    lines = [headings, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(headings))]
    text = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines]
    text.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(text) + "\n"
