"""cminpack 1.3.6: MINPACK twice, in Fortran and translated to C, with the same drivers for both.

Each driver solves a set of problems and prints norms and counts. What it prints must be the same to the last byte as
with the plain compiler, in both languages. Left out in Fortran is what `stop` says on stderr of the exceptions that were raised
(Nonius does not see those of values that nobody uses).

The Fortran of lmsdrv relies on static variables: its `fcn` works out the whole Jacobian into the local array `temp` when it is
asked for the first row, and reads the others from there in later calls, but `temp` has no `save`. On the stack it is whatever
callees have left (valgrind says so of plain `flang -O0`: rwupdt.f:89 depends on what fcn, lmsdrv.f:95, never set). So that driver is built
with -fno-automatic, which is what MINPACK's compilers did.
"""

from harness import fetch, judge, process
from harness.workshop import PLAIN_CC, PLAIN_FC

ABOUT = "nonlinear equations in Fortran and C: the same drivers, outputs unchanged"
SHA256 = "3c07fd21308c96477a2c900032e21d937739c233ee273b4347a0d4a84a32d09f"
# The driver, the problems it is linked with, and the file of starting points that it reads.
DRIVERS = {
    "lmddrv": (["ssqipt", "ssqfcn", "ssqjac"], "ssq.data"),
    "lmfdrv": (["ssqipt", "ssqfcn"], "ssq.data"),
    "lmsdrv": (["ssqipt", "ssqfcn", "ssqjac"], "ssq.data"),
    "hyjdrv": (["neqipt", "vecfcn", "vecjac"], "neq.data"),
    "hybdrv": (["neqipt", "vecfcn"], "neq.data"),
    "chkdrv": (["neqipt", "vecfcn", "errjac"], "chkder.data"),
}
# What is built apart, and with which flag.
STATIC = {"fortran": {"lmsdrv": "-fno-automatic"}}


def check(part):
    source = part.unpack(fetch.debian_source(part.workshop, "cminpack", "cminpack_1.3.6.orig.tar.gz", SHA256))
    workshop = part.workshop
    for language, plain, nonius in (("fortran", PLAIN_FC, workshop.nonius_fc), ("c", PLAIN_CC, workshop.nonius_cc)):
        apart = STATIC.get(language, {})
        builds = [(language, [], [name for name in DRIVERS if name not in apart])]
        builds += [(f"{language}-{name}", [flag], [name]) for name, flag in apart.items()]
        for label, flags, drivers in builds:
            folders = {name: part.fresh_folder(f"{label}-{name}") for name in ("plain", "nonius")}
            plain_s = build(part, source, language, [plain, *flags], folders["plain"], drivers)
            nonius_s = build(part, source, language, [nonius, *flags], folders["nonius"], drivers)
            part.time(f"{label}: build", plain_s, nonius_s)
            compare(part, source, label, folders, drivers)


def build(part, source, language, compiler, folder, drivers):
    extension = "f" if language == "fortran" else "c"
    library = source / "fortran" if language == "fortran" else source
    files = [f for f in sorted(library.glob(f"*.{extension}")) if not f.stem.endswith("_")]
    examples = sorted({name for driver in drivers for name in (driver, *DRIVERS[driver][0])})
    files += [source / "examples" / f"{name}.{extension}" for name in examples]
    include = [] if language == "fortran" else [f"-I{source}", "-w"]
    seconds = part.step(f"compile-{folder.name}", [*compiler, "-O2", *include, "-c", *files], cwd=folder)
    own = [folder / f"{f.stem}.o" for f in files if f.parent == library]
    for driver in drivers:
        objects = [folder / f"{name}.o" for name in (driver, *DRIVERS[driver][0])]
        seconds += part.step(f"link-{folder.name}-{driver}", [*compiler, *objects, *own, "-o", folder / driver, "-lm"])
    return seconds


def compare(part, source, language, folders, drivers):
    same, losses = 0, []
    for driver in drivers:
        data = DRIVERS[driver][1]
        stdin = f"{source}/examples/testdata/{data}"
        report = part.reports / f"{language}-{driver}.json"
        runs = {
            name: process.run(["sh", "-c", f"./{driver} < '{stdin}'"], folder, process.nonius_options(report))
            for name, folder in folders.items()
        }
        plain, nonius = runs["plain"], runs["nonius"]
        same += plain.status == nonius.status and plain.stdout_sha256 == nonius.stdout_sha256 and plain.stdout_bytes > 0
        words = ["sh", "-c", f"./{driver} < '{stdin}'"]
        part.show(f"{language} {driver}", [*part.workshop.nonius_run, *words], folders["nonius"], report)
        losses += [f for f in judge.findings(report) if f["kind"] == "precision-loss"]
    part.expect(f"{language}: drivers", f"{len(drivers)} with the same output", f"{same} same", same == len(drivers))
    part.say(f"{language}: {len(losses)} precision losses, first: {judge.describe(losses[0]) if losses else 'none'}")
