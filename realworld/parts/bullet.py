"""Bullet 3.24: collision and dynamics in float, a headless pile of bodies, and its own test of collisions.

Bullet's vectors are SSE registers, loaded and shuffled by intrinsics. As with Box2D, every bit of every step counts. Its tests
use the copy of googletest that comes with it; lines of elapsed time are switched off.
"""

from harness import fetch
from harness.pair import Pair
from harness.workshop import DRIVERS

ABOUT = "collisions and rigid bodies in float, C++ with SSE intrinsics: own tests and a pile, unchanged"
SHA256 = "43c1edae2024ba18bb5d7bfd3bb2394b066a79151a29789504a2d8efcdc333d7"
LIBRARY = ("btLinearMathAll.cpp", "btBulletCollisionAll.cpp", "btBulletDynamicsAll.cpp")


def check(part):
    source = part.unpack(fetch.debian_source(part.workshop, "bullet", "bullet_3.24+dfsg.orig.tar.xz", SHA256))
    gtest = source / "test" / "gtest-1.7.0"
    include = [f"-I{source}/src", f"-I{gtest}/include", f"-I{gtest}", "-DGTEST_HAS_PTHREAD=0"]
    pair = Pair(part, "bullet", "c++", ["-O2", "-w", *include])
    library = pair.compile([source / "src" / name for name in LIBRARY])
    pair.link("bullet_stack", [*library, *pair.compile([DRIVERS / "bullet_stack.cpp"])])
    tests = pair.compile([source / "test" / "collision" / "main.cpp", gtest / "src" / "gtest-all.cc"])
    pair.link("collision", [*library, *tests])
    run, _ = pair.compare("collision tests", "./collision --gtest_print_time=0")
    passed = [line for line in run.stdout.splitlines() if "[  PASSED  ]" in line]
    part.expect("collision tests: outcome", "passed", passed[0] if passed else "FAILED", passed and "FAILED" not in run.stdout)
    pair.compare("pile", "./bullet_stack 3000", rounds=3)
    pair.close()
