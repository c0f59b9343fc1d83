"""MPI from Rust: the crate mpi 0.8.2 with both libraries of Debian. An error crosses the ranks of a ring and is found where it
shows; without the absorbed term, nothing is. bindgen, which the crate builds with, needs libclang (libclang1-22)."""

import os
import shutil

from harness import judge, process
from harness.workshop import DRIVERS

ABOUT = "the crate mpi in Rust, with Open MPI and MPICH: an error crosses ranks"
LIBRARIES = ("openmpi", "mpich")
MANIFEST = '[package]\nname = "ring"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\nmpi = "=0.8.2"\n[workspace]\n'
LINE = 'println!("{}", got - large)'


def check(part):
    for library in LIBRARIES:
        folder = part.fresh_folder(f"ring-{library}")
        (folder / "src").mkdir()
        shutil.copy(DRIVERS / "rust" / "mpi_ring.rs", folder / "src" / "main.rs")
        (folder / "Cargo.toml").write_text(MANIFEST)
        os.environ.update(MPICC=f"mpicc.{library}", LIBCLANG_PATH="/usr/lib/llvm-22/lib")
        build_s = [
            part.step(f"build-{library}-plain", ["cargo", "build", "--release"], cwd=folder),
            part.step(f"build-{library}-nonius", [*part.workshop.cargo_nonius, "build", "--release"], cwd=folder),
        ]
        part.time(f"{library}: build", *build_s)
        for is_stable in (False, True):
            compare(part, library, folder, is_stable)


def compare(part, library, folder, is_stable):
    what = f"{library}{', stable' if is_stable else ''}"
    plain, shadowed = folder / "target/release/ring", folder / "target/nonius/x86_64-unknown-linux-gnu/release/ring"
    reports = part.fresh_folder(f"reports-{what.replace(', ', '-')}")
    runs = [launch(library, folder, program, is_stable, reports) for program in (plain, shadowed)]
    lines = [sorted(run.stdout.splitlines()) for run in runs]
    same = len(lines[0]) == 3 and lines[0] == lines[1] and runs[0].status == runs[1].status == 0
    part.expect(f"{what}: output", "as without Nonius", " | ".join(lines[1]), same)
    found = [judge.findings(report) for report in sorted(reports.iterdir())]
    source = (folder / "src" / "main.rs").read_text().splitlines()
    line = next(n for n, text in enumerate(source, 1) if LINE in text)
    places = [[(f["kind"], f["location"]["line"]) for f in findings] for findings in found]
    expected = [[] if is_stable else [("precision-loss", line)]] * 3
    part.expect(f"{what}: findings", "on each rank" if not is_stable else "none", str(places), places == expected)


def launch(library, folder, program, is_stable, reports):
    words = [f"mpirun.{library}", *(["--oversubscribe"] if library == "openmpi" else []), "-n", "3", program]
    options = {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "NONIUS_OPTIONS": f"quiet=1:report={reports}/%p.json",
    }
    return process.run([*words, *(["stable"] if is_stable else [])], folder, options, timeout_s=120)
