"""Lua 5.4.4: an interpreter, whose values are unions of floats, integers and pointers, with a script of our own.

The script does orbits, a matrix norm, text to number and back, the mathematical library, coroutines and errors (longjmp). Debian's source
has no test suite. The one wrong result in it, (1 - cos x) / x^2 at 1e-8, which is 0 for 0.5, must be found, and in output,
after its error went through the interpreter's registers and out through string.format.
"""

from harness import fetch, judge
from harness.pair import Pair
from harness.workshop import DRIVERS

ABOUT = "an interpreter in C: floats in unions and tables, output unchanged, a lost cosine found"
SHA256 = "164c7849653b80ae67bec4b7473b884bf5cc8d2dca05653475ec2ed27b9ebf61"


def check(part):
    source = part.unpack(fetch.debian_source(part.workshop, "lua5.4", "lua5.4_5.4.4.orig.tar.gz", SHA256)) / "src"
    pair = Pair(part, "lua", "c", ["-std=gnu99", "-O2", "-w", "-DLUA_USE_LINUX", "-DLUA_COMPAT_5_3"])
    objects = pair.compile([file for file in sorted(source.glob("*.c")) if file.stem != "luac"])
    pair.link("lua", objects, "-lm", "-ldl", "-Wl,-E")
    script = f"./lua '{DRIVERS}/floats.lua'"
    _, found = pair.compare("script", f"{script} 500000", rounds=3)
    lost = [f for f in found if f["kind"] == "precision-loss" and f["worst"]["value"] == 0]
    part.expect("1 - cos(1e-8)", "0, found", judge.describe(lost[0]) if lost else "not found", lost)
    sightings = [s for f in found for s in (f, *f.get("symptoms", []))]
    printed = [s["worst"] for s in sightings if s["observed_at"] == "output" and abs(float(s["worst"]["shadow"]) - 0.5) < 1e-9]
    part.expect("(1 - cos x) / x^2", "ideal 0.5, in output", f"{printed[0]['value']:g}" if printed else "not found", printed)
    pair.compare("error", "./lua -e 'print(1/3) error({})'", status=1)
    pair.close()
