"""Box2D 2.4.1: its own unit tests, and a pyramid, a chain and a fast ball for fifty seconds, in float.

Positions after thousands of steps depend on every bit of every step before, so a single changed rounding would show.
"""

from harness import fetch
from harness.pair import Pair
from harness.workshop import DRIVERS

ABOUT = "rigid bodies in float, C++: own unit tests, stacks and joints, every position unchanged"
SHA256 = "d6b4650ff897ee1ead27cf77a5933ea197cbeef6705638dd181adc2e816b23c2"


def check(part):
    source = part.unpack(fetch.debian_source(part.workshop, "box2d", "box2d_2.4.1.orig.tar.gz", SHA256))
    pair = Pair(part, "box2d", "c++", ["-std=c++14", "-O2", "-w", f"-I{source}/include", f"-I{source}/src"])
    library = pair.compile(sorted((source / "src").rglob("*.cpp")))
    # Without its handlers of signals, whose stack has no constant size in today's C library.
    tests = pair.compile(sorted((source / "unit-test").glob("*.cpp")), "-DDOCTEST_CONFIG_NO_POSIX_SIGNALS")
    pair.link("unit_test", [*library, *tests])
    pair.link("box2d_stack", [*library, *pair.compile([DRIVERS / "box2d_stack.cpp"])])
    run, _ = pair.compare("unit tests", "./unit_test")
    passed = "Status: SUCCESS!" in run.stdout
    part.expect("unit tests: outcome", "Status: SUCCESS!", run.stdout.strip().splitlines()[-1], passed)
    pair.compare("stack", "./box2d_stack 3000", rounds=3)
    pair.close()
