"""Runs a program and keeps what can be compared: exit status, output, CPU time.

Output is hashed as it comes, since some test programs print gigabytes. CPU time rather than wall time, so that a
busy machine changes little.
"""

import hashlib
import os
import signal
import subprocess
import tempfile
import threading
from dataclasses import dataclass

OUTPUT_KEPT = 1 << 20


@dataclass
class Run:
    status: int
    stdout_sha256: str
    stdout_bytes: int
    stdout: str  # the first OUTPUT_KEPT bytes
    stderr: str
    cpu_s: float

    def same_as(self, other):
        """What a user can see of it is the same, to the last byte."""
        mine = (self.status, self.stdout_sha256, self.stdout_bytes, self.stderr)
        return mine == (other.status, other.stdout_sha256, other.stdout_bytes, other.stderr)


def run(command, cwd, env=None, timeout_s=3600):
    with tempfile.TemporaryFile() as stderr:
        child = subprocess.Popen(
            [str(word) for word in command],
            cwd=cwd,
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            start_new_session=True,
        )
        timer = threading.Timer(timeout_s, os.killpg, (child.pid, signal.SIGKILL))
        timer.start()
        digest, length, kept = _drain(child.stdout)
        _, wait_status, usage = os.wait4(child.pid, 0)
        timer.cancel()
        child.returncode = os.waitstatus_to_exitcode(wait_status)
        child.stdout.close()
        stderr.seek(0)
        return Run(
            status=child.returncode,
            stdout_sha256=digest,
            stdout_bytes=length,
            stdout=kept.decode(errors="replace"),
            stderr=stderr.read(OUTPUT_KEPT).decode(errors="replace"),
            cpu_s=usage.ru_utime + usage.ru_stime,
        )


def _drain(pipe):
    digest, length, kept = hashlib.sha256(), 0, bytearray()
    while chunk := os.read(pipe.fileno(), 1 << 20):
        digest.update(chunk)
        length += len(chunk)
        if len(kept) < OUTPUT_KEPT:
            kept += chunk[: OUTPUT_KEPT - len(kept)]
    return digest.hexdigest(), length, bytes(kept)


def nonius_options(report=None, **options):
    """The environment that makes an instrumented program write a report and nothing else."""
    items = {"quiet": 1, **options}
    if report:
        items["report"] = f"'{report}'"
    return {"NONIUS_OPTIONS": ":".join(f"{key}={value}" for key, value in items.items())}
