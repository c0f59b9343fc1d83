"""Findings of a report, held against a reference that was computed without Nonius.

A finding compares the program's value with the exact result of the *same algorithm*; the reference (mpmath) is the
function itself. They differ by what the algorithm leaves out on purpose, a truncated series or a rounded constant, so
errors are compared within a factor and not digit by digit. Where nothing survives, one wrong value is as wrong as another.
"""

import json
import math
from collections import Counter
from dataclasses import dataclass

AGREE_BITS = 3.0


def findings(path):
    with open(path) as file:
        return json.load(file)["findings"]


def summary(path):
    with open(path) as file:
        return json.load(file)["summary"]


@dataclass
class Count:
    """What one report holds: findings, those in output, those of each kind, and the shares shadowed."""

    what: str
    findings: int
    in_output: int
    kinds: dict
    operations: float
    calls: float


def count(what, path):
    found, coverage = findings(path), summary(path)["coverage"]
    share = lambda what: coverage[f"{what}_shadowed"] / max(coverage[what], 1)
    return Count(
        what=what,
        findings=len(found),
        in_output=sum(f["observed_at"] == "output" for f in found),
        kinds=Counter(f["kind"] for f in found),
        operations=share("operations"),
        calls=share("calls") if coverage["calls"] else 1.0,
    )


def frames(finding):
    """Every place a finding names: (function, file, line)."""
    places = [finding["location"], finding.get("observed_location"), *finding["stack"]]
    return [(p.get("function", ""), p.get("file", ""), p.get("line", 0)) for p in places if p]


def lies_in(finding, file):
    return any(path == file or path.endswith("/" + file) for _, path, _ in frames(finding))


def relative_error(value, reference):
    if reference == 0:
        return 0.0 if value == 0 else math.inf
    return float(abs((value - reference) / reference))


def bits_lost(error, precision=53):
    """Leading bits that are wrong in a value of `precision` bits with this relative error."""
    if error == 0:
        return 0.0
    return min(max(precision + math.log2(error), 0.0), float(precision)) if math.isfinite(error) else float(precision)


def reported_error(finding):
    error = finding["worst"]["relative_error"]
    return float(error)  # "inf" and "nan" come as strings


def agrees(finding, reference_error):
    """The reported error is the reference's, within AGREE_BITS; errors of 100 % and more are all alike."""
    mine, other = (min(error, 1.0) for error in (reported_error(finding), reference_error))
    return mine > 0 and other > 0 and abs(math.log2(mine) - math.log2(other)) <= AGREE_BITS


def losses(found, reference_error):
    """Precision losses as large as the reference says they should be."""
    return [f for f in found if f["kind"] == "precision-loss" and agrees(f, reference_error)]


def place(finding):
    """Where, in a few words: the operation's file and line, and the nearest caller in another file."""
    parts = []
    for function, path, line in frames(finding):
        name = path.rsplit("/", 1)[-1]
        if name and (not parts or not parts[-1].startswith(name + ":")):
            parts.append(f"{name}:{line}")
        elif not name and not parts:
            parts.append(function)
    return " < ".join(parts[:3])


def describe(finding):
    worst = finding["worst"]
    return f"{finding['kind']}, {worst['bits_lost']:.0f} bits, {place(finding)}"


def causes(found, function):
    """Causes in `function` of findings that the second run of `nonius run` confirmed, the finding's own first."""
    confirmed = [f for f in found if f.get("confirmation", {}).get("verdict") == "confirmed"]
    return [c for f in confirmed for c in f["causes"] if c["location"].get("function") == function]


def describe_cause(cause):
    location = cause["location"]
    return f"{cause['operation']}, {location['file'].rsplit('/', 1)[-1]}:{location['line']}"
