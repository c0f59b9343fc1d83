"""Eigen 3.4.0: the Hilbert matrix of 12 rows, and some of Eigen's own tests.

The Hilbert matrix H(12) has the condition number 1.7e16: the solution of H x = 1, its smallest eigenvalue and its determinant come out
wrong in the first or second digit. The references are exact: rational elimination for the solution and the determinant, mpmath
for the eigenvalue. Each of the three is reported in output with the right ideal.

Eigen's own tests take a seed and print little; what they print, and that they pass, must be the same.
"""

from fractions import Fraction

from harness import fetch, judge
from harness.pair import Pair
from harness.workshop import DRIVERS

ABOUT = "C++ templates: an ill-conditioned system, an eigenvalue and a determinant; own tests unchanged"
SHA256 = "b4c198460eba6f28d34894e3a5710998818515104d6e74e5cc331ce31e46e626"
ROWS = 12
# Each of Eigen's test programs, and which of its parts (kinds of matrices) are built.
TESTS = {"determinant": (3, 6), "stable_norm": (2, 3)}


def check(part):
    archive = fetch.debian_source(part.workshop, "eigen3", "eigen3_3.4.0.orig.tar.bz2", SHA256)
    source = part.unpack(archive)
    mpmath = part.workshop.python_package("mpmath", "1.3.0")
    mpmath.mp.prec = 400
    hilbert(part, source, mpmath)
    own_tests(part, source)


def hilbert(part, source, mpmath):
    pair = Pair(part, "hilbert", "c++", ["-O2", f"-I{source}"])
    pair.link("hilbert", pair.compile([DRIVERS / "hilbert.cpp"]))
    run, found = pair.compare("hilbert", f"./hilbert {ROWS}", rounds=3)
    values = {line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1]) for line in run.stdout.splitlines()}
    ideals = references(mpmath)
    wrong = [name for name, ideal in ideals.items() if judge.relative_error(mpmath.mpf(values[name]), ideal) > 0.01]
    part.expect("hilbert: known failure", "all wrong by 1 % or more", f"{len(wrong)} of {len(ideals)}", len(wrong) == len(ideals))
    losses = [f for f in found if f["kind"] == "precision-loss"]
    part.expect("hilbert: losses", "found", f"{len(losses)}, {judge.describe(losses[0])}" if losses else "none", losses)
    pair.close()
    sightings = [s for f in found for s in (f, *f.get("symptoms", []))]
    printed = [s["worst"] for s in sightings if s["observed_at"] == "output" and s["kind"] == "precision-loss"]
    for what in ("solution", "smallest eigenvalue", "determinant"):
        names = [name for name in ideals if name == what or (what == "solution" and name.startswith("x"))]
        fitting = [w for w in printed for n in names if w["value"] == values[n] and close(w["shadow"], ideals[n])]
        seen = f"{fitting[0]['value']:.6g}, ideal {fitting[0]['shadow']:.6g}" if fitting else "not found"
        part.expect(f"hilbert: {what}", "in output, with the exact ideal", seen, fitting)


def close(value, reference):
    return judge.relative_error(value, reference) < 1e-3


def references(mpmath):
    """The solution and the determinant by exact elimination, the smallest eigenvalue by mpmath."""
    rows = [[Fraction(1, i + j + 1) for j in range(ROWS)] + [Fraction(1)] for i in range(ROWS)]
    determinant = Fraction(1)
    for i, pivot in enumerate(rows):
        determinant *= pivot[i]
        for k, row in enumerate(rows):
            if k != i:
                factor = row[i] / pivot[i]
                rows[k] = [a - factor * b for a, b in zip(row, rows[i])]
    exact = {f"x{i}": rows[i][ROWS] / rows[i][i] for i in range(ROWS)} | {"determinant": determinant}
    exact = {name: mpmath.mpf(value.numerator) / value.denominator for name, value in exact.items()}
    values, _ = mpmath.eigsy(mpmath.hilbert(ROWS))
    return exact | {"smallest eigenvalue": min(values)}


def own_tests(part, source):
    pair = Pair(part, "tests", "c++", ["-O1", "-w", f"-I{source}", f"-I{source}/test", "-DEIGEN_TEST_MAX_SIZE=320"])
    for name, kinds in TESTS.items():
        selected = [f"-DEIGEN_TEST_PART_{kind}=1" for kind in kinds]
        pair.link(name, pair.compile([source / "test" / f"{name}.cpp"], *selected))
    for name in TESTS:
        pair.compare(f"test {name}", f"./{name} r5 s1")
    pair.close()
