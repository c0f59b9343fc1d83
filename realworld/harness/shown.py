"""What a maintainer sees first: a program under `nonius run`, as it comes, with the text that it writes.

Counted are the sightings of a plain run (findings and the other places where their errors were seen, which is what was
listed before errors were followed to their roots), the findings, and what the text shows of them. The text stays beside the
report, to be read and judged.
"""

import re
from dataclasses import dataclass

from . import judge, process

HEAD = re.compile(r"^(error|warning)\[", re.MULTILINE)


@dataclass
class Shown:
    what: str
    sightings: int
    findings: int
    in_output: int
    classed: int
    shown: int


def measure(part, what, command, cwd, plain=None):
    """Runs a command once more, under `nonius run` or `cargo nonius`, and counts. `plain`: the report of a run by itself."""
    name = re.sub(r"[^\w.]+", "-", what)
    report, text = part.reports / f"{name}.shown.json", part.reports / f"{name}.shown.txt"
    is_cargo = command[1] == "nonius"
    command.insert(3 if is_cargo else 2, f"--nonius-report={report}" if is_cargo else f"--report={report}")
    run = process.run(command, cwd)
    text.write_text(run.stderr)
    if not report.exists():
        return None
    found = judge.findings(report)
    before = judge.findings(plain) if plain and plain.exists() else found
    return Shown(
        what=what,
        sightings=sum(1 + f.get("symptom_count", len(f.get("symptoms", []))) for f in before),
        findings=len(found),
        in_output=sum(reaches_output(f) for f in found),
        classed=sum("class" in f for f in found),
        shown=len(HEAD.findall(run.stderr)),
    )


def reaches_output(finding):
    return any(s["observed_at"] == "output" for s in (finding, *finding.get("symptoms", [])))
