"""REBOUND 4.4.3, an N-body integrator: its unit tests on an instrumented library, and a mean anomaly that comes back wrong.

The library is loaded by Python, which knows nothing of Nonius. Left out are the tests that need the network, a
plotting package, or one certain compiler flag.

The loss: tools.c gets the eccentric anomaly as acos((1 - d/a) / e). Close to the pericenter the argument is close to 1,
where acos turns an error of one unit in the last place into 1e-8: a mean anomaly of 1e-8 does not survive the round
trip. mpmath computes the anomaly from the same position and velocity. (hannorein/rebound issue 934)
"""

import sys
import sysconfig

from harness import fetch, judge, process
from harness.workshop import DRIVERS, PLAIN_CC, StepFailed

ABOUT = "N-body integrator in C: Python tests on the instrumented library, a lost mean anomaly"
SHA256 = "8dd2fc69f4db4609abeb50048583d0428c716cd3eab11df868358f5384d826cf"
FLAGS = ["-O3", "-std=c99", "-fstrict-aliasing", "-fPIC", "-w", "-DLIBREBOUND", "-D_GNU_SOURCE", "-DSERVER", "-DGITHASH=none"]
NOT_RUN = ("test_server", "test_horizons", "test_plotting", "test_fpcontract")
ECCENTRICITY, ANOMALY = "0.1", "1e-8"
# Where tools.c computes the time of the last pericenter from the mean anomaly.
PERICENTER_LINE = 1173


def check(part):
    archive = fetch.pypi_source(part.workshop, "rebound", "4.4.3", SHA256)
    source = part.unpack(archive)
    plain, plain_s = build(part, source, "plain", PLAIN_CC)
    nonius, nonius_s = build(part, source, "nonius", part.workshop.nonius_cc)
    part.time("build", plain_s, nonius_s)
    mean_anomaly(part, plain, nonius)
    from_python(part, nonius)
    unit_tests(part, source, plain, nonius)


def build(part, source, name, cc):
    """Builds the shared library that the Python package loads, and the driver. Returns the folder and CPU seconds."""
    folder = part.fresh_folder(name)
    (folder / "rebound").symlink_to(source / "rebound")
    sources = sorted((source / "src").glob("*.c"))
    library = folder / f"librebound{sysconfig.get_config_var('EXT_SUFFIX') or '.so'}"
    compile_all = ["xargs", f"-P{part.workshop.jobs}", "-n1", "-a", folder / "sources", cc, *FLAGS, "-c"]
    (folder / "sources").write_text("\n".join(map(str, sources)))
    seconds = part.step(f"build-{name}", compile_all, cwd=folder)
    objects = [folder / f"{path.stem}.o" for path in sources]
    part.step(f"link-{name}", [cc, "-shared", *objects, "-o", library, "-lm", "-lrt", "-lpthread"])
    driver = [cc, "-O2", f"-I{source / 'src'}", DRIVERS / "orbit.c", *objects, "-o", folder / "orbit"]
    part.step(f"driver-{name}", [*driver, "-lm", "-lrt", "-lpthread"])
    return folder, seconds


def mean_anomaly(part, plain, nonius):
    report = part.reports / "orbit.json"
    command = ["./orbit", ECCENTRICITY, ANOMALY]
    expected = process.run(command, plain)
    run = process.run(command, nonius, process.nonius_options(report))
    same = run.same_as(expected) and run.status == 0
    part.expect("orbit: output", "as without Nonius", "same" if same else "DIFFERS", same)

    state, back = run.stdout.splitlines()
    mpmath = part.workshop.python_package("mpmath", "1.3.0")
    mpmath.mp.prec = 400
    reference = anomaly_of(mpmath, [mpmath.mpf(float.fromhex(word)) for word in state.split()])
    error = judge.relative_error(mpmath.mpf(float(back)), reference)
    hits = [f for f in judge.losses(judge.findings(report), error) if judge.lies_in(f, "src/tools.c")]
    expected = f"{float(reference):.6g} (mpmath), {back} came back"
    seen = "not found"
    if hits:
        worst = hits[0]["worst"]
        seen = f"ideal {worst['shadow']:.6g}, {judge.describe(hits[0])}"
        # The driver's own rounding of position and velocity is an error too, for Nonius: 1e-6 of the anomaly.
        hits = judge.relative_error(mpmath.mpf(worst["shadow"]), reference) < 1e-6
    part.expect(f"mean anomaly {ANOMALY}", expected, seen, hits)

    part.show("orbit", [*part.workshop.nonius_run, *command], nonius, report)
    explained = part.reports / "orbit-causes.json"
    process.run([*part.workshop.nonius_run, f"--report={explained}", "--quiet", *command], nonius)
    born = [c for c in judge.causes(judge.findings(explained), "acos2") if c["operation"] == "call acos"]
    seen = judge.describe_cause(born[0]) if born else "not among the causes"
    part.expect("mean anomaly: cause", "confirmed, from acos in acos2", seen, born)


def from_python(part, nonius):
    """The same from Python, whose own frames are all that the inline engine's stack has lines of."""
    explained = part.reports / "orbit-from-python.json"
    driver = [sys.executable, DRIVERS / "rebound_orbit.py", nonius, ECCENTRICITY, ANOMALY]
    environment = {"PYTHONPATH": str(part.workshop.root / "python"), "PYTHONDONTWRITEBYTECODE": "1"}
    process.run([*part.workshop.nonius_run, f"--report={explained}", "--quiet", *driver], nonius, environment)
    found = judge.findings(explained)
    confirmed = [f for f in found if f.get("confirmation", {}).get("verdict") == "confirmed"]
    # The root is the acos itself; the time of the pericenter is on its way.
    passes = lambda f: any(c["location"]["line"] == PERICENTER_LINE for c in f["causes"])
    pericenter = [f for f in confirmed if passes(f) and judge.lies_in(f, "src/tools.c")]
    born = [f["causes"][0] for f in pericenter if f["causes"][0]["operation"] == "call acos"]
    seen = f"{len(confirmed)} of {len(found)}, " + (judge.describe_cause(born[0]) if born else "no cause in acos")
    good = born and len(confirmed) == len(found)
    part.expect("from Python: causes", "all confirmed, the pericenter's time from acos", seen, good)


def anomaly_of(mpmath, state):
    """Mean anomaly of a particle about a unit mass at rest in the origin, in units where G = 1."""
    position, velocity = state[:3], state[3:]
    dot = lambda a, b: sum(x * y for x, y in zip(a, b))
    distance = mpmath.sqrt(dot(position, position))
    axis = 1 / (2 / distance - dot(velocity, velocity))
    # e cos E and e sin E, neither of which cancels.
    e_cos = 1 - distance / axis
    e_sin = dot(position, velocity) / mpmath.sqrt(axis)
    return mpmath.atan2(e_sin, e_cos) - e_sin


def unit_tests(part, source, plain, nonius):
    part.workshop.python_package("numpy", "1.26.4")
    modules = sorted(path.stem for path in (source / "rebound" / "tests").glob("test_*.py"))
    modules = [name for name in modules if name not in NOT_RUN]
    environment = {"PYTHONPATH": str(part.workshop.root / "python"), "PYTHONDONTWRITEBYTECODE": "1"}
    runs = []
    for folder in (plain, nonius):
        # Some tests write files, so each build runs in a folder of its own.
        cwd = part.fresh_folder(f"tests-{folder.name}")
        options = process.nonius_options(part.reports / "unit_tests.json")
        command = [sys.executable, DRIVERS / "rebound_tests.py", folder, *modules]
        runs.append(process.run(command, cwd, {**environment, **options}))
        if runs[-1].status != 0:
            raise StepFailed(f"the tests could not be run in {cwd}:\n{runs[-1].stderr[-2000:]}")
    lines = runs[1].stdout.splitlines()
    bad = [line for line in lines if not line.endswith(" ok")]
    same = runs[0].stdout == runs[1].stdout
    seen = f"{len(lines)} tests, {'same' if same else 'DIFFERENT'} outcomes, {len(bad)} not passed"
    part.expect("unit tests", "pass, as without Nonius", seen, same and not bad)
    part.time("unit tests", runs[0].cpu_s, runs[1].cpu_s)
    part.say(f"findings in the unit tests: {judge.summary(part.reports / 'unit_tests.json')['findings']}")
