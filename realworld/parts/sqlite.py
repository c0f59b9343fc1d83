"""SQLite 3.46.0, the one file that the crate libsqlite3-sys carries, with a driver of ours that runs SQL on a file.

SQLite reads and prints floats by arithmetic of its own, sorts and sums them (sum() and avg() are compensated), and keeps them as bytes.
What it prints, and the file that it leaves, must be as without Nonius. 'nonius run' runs a program with findings a second time: a script
that makes its table if there is none and adds three rows must leave three rows, not six, and the same bytes as one run.
"""

import hashlib

from harness import fetch, judge, process
from harness.pair import Pair
from harness.workshop import DRIVERS

ABOUT = "a database in C: output and files unchanged, and no row twice after 'nonius run'"
VERSION = "0.30.1"
SHA256 = "2e99fb7a497b1e3339bc746195567ed8d3e24945ecd636e3619d20b9de9e9149"

ADDS = "create table if not exists t(x real); insert into t values(1.0), (1e16), (3.5); select count(*), sum(x) - 1e16 from t;"
# The difference of squares loses all digits of the variance, which is 2/3: found, so there is a second run.
LOSES = "create table if not exists v(x real); insert into v values(1e8), (1e8 + 1), (1e8 + 2); "
LOSES += "select (sum(x*x) - sum(x)*sum(x)/count(*)) / count(*), count(*) from v;"
SCRIPTS = {
    "adds": ADDS,
    "texts": "select 1e-300 * 3, 0.1 + 0.2, cast('1.7976931348623157e308' as real), round(2.5), printf('%.17g', 1.0/3);",
    "many": "create table m(x real, y real); with recursive c(i) as (values(1) union all select i + 1 from c where i < 20000) "
    "insert into m select i * 0.1, 1.0 / i from c; create index n on m(y); "
    "select sum(x), avg(y), min(y), max(x), total(x*y) from m; select x, y from m where y between 0.0001 and 0.00011 order by y;",
    "functions": "select sin(1), exp(2.5), pow(2, 0.5), ln(10), sqrt(2), atan2(1, 3), mod(7.5, 2); select julianday('2000-01-01 12:00');",
    "error": "select * from nowhere;",
}
BUILD = ["-O2", "-w", "-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION", "-DSQLITE_ENABLE_MATH_FUNCTIONS"]


def check(part):
    source = fetch.crate(part.workshop, "libsqlite3-sys", VERSION, SHA256) / "sqlite3"
    pair = Pair(part, "sqlite", "c", [*BUILD, f"-I{source}"])
    objects = pair.compile([source / "sqlite3.c", DRIVERS / "sqlite.c"])
    pair.link("sqlite", objects, "-lm")
    for name, script in SCRIPTS.items():
        pair.compare(name, f'./sqlite {name}.db "{script}"', status=1 if name == "error" else 0, outputs=[f"{name}.db"])
    second_run(part, pair)
    pair.close()


def second_run(part, pair):
    """Under 'nonius run', with findings and without: the rows and the bytes of one run."""
    for name, script, table in (("adds", ADDS, "t"), ("loses", LOSES, "v")):
        sums = {}
        for kind in ("plain", "nonius"):
            folder = pair.folders[kind]
            base = folder / f"once-{name}.db"
            base.unlink(missing_ok=True)
            report = part.reports / f"run-{name}.json"
            words = ["./sqlite", base.name, script]
            if kind == "nonius":
                words = [*part.workshop.nonius_run, f"--report={report}", "--quiet", *words]
            run = process.run(words, folder)
            # The status of 'nonius run' tells of findings.
            sums[kind] = (run.stdout, hashlib.sha256(base.read_bytes()).hexdigest())
        base = pair.folders["nonius"] / f"once-{name}.db"
        left = process.run(["./sqlite", base, f"select count(*) from {table};"], pair.folders["plain"]).stdout.strip()
        same = sums["plain"] == sums["nonius"]
        part.expect(f"nonius run, {name}: file", "3 rows, as without Nonius", f"{left} rows, {'same' if same else 'DIFFERS'}", same and left == "3")
    found = judge.findings(part.reports / "run-loses.json")
    confirmed = [f for f in found if f.get("confirmation", {}).get("verdict") == "confirmed"]
    seen = judge.describe(confirmed[0]) if confirmed else f"{len(found)} findings, none confirmed"
    part.expect("nonius run, loses: variance", "found, and confirmed by the second run", seen, confirmed)
