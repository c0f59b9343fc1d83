"""numpy 2.2.6: the C code of its random distributions, each drawn from with a fixed seed.

The generator's words come through function pointers; rejection methods compare what they draw, so a changed bit changes all
that follows. Every draw's mean is printed to the last digit and must be the same.

One wrong result is known: the inverse Gaussian (Wald) distribution with a mean much larger than its scale takes the difference
of two numbers that agree in all their digits, and draws 0, which that distribution never is.
"""

from harness import fetch, judge
from harness.pair import Pair
from harness.workshop import DRIVERS

ABOUT = "random distributions in C: every draw unchanged, a Wald that draws 0 found"
SHA256 = "e29554e2bef54a90aa5cc07da6ce955accb83f21ab5de01a62c8478897b264fd"
DRAWS = 200000


def check(part):
    source = part.unpack(fetch.pypi_source_unbuilt(part.workshop, "numpy", "2.2.6", SHA256, "mesonpy")) / "numpy"
    random = source / "random" / "src"
    include = [f"-I{DRIVERS}/numpy", f"-I{source}/_core/include", f"-I{random}/pcg64"]
    pair = Pair(part, "distributions", "c", ["-O2", "-w", *include])
    files = [*sorted((random / "distributions").glob("*.c")), random / "pcg64" / "pcg64.c"]
    library = pair.compile(files)
    pair.link("draw", [*library, *pair.compile([DRIVERS / "numpy" / "draw.c"])], "-lm")
    run, found = pair.compare("distributions", f"./draw {DRAWS}", rounds=3)
    drawn = [line.split()[-1] for line in run.stdout.splitlines() if line.startswith("Wald, large mean") and "mean " not in line[20:]]
    part.expect("Wald, mean 1e8: known failure", "0 among the first draws", " ".join(drawn), "0" in drawn)
    hits = [f for f in found if f["kind"] == "precision-loss" and any(name == "random_wald" for name, _, _ in judge.frames(f))]
    part.expect("Wald, mean 1e8", "found in random_wald", judge.describe(hits[0]) if hits else "not found", hits)
    pair.close()
