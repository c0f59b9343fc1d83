"""qhull 2020.2: hulls, Delaunay triangulations and Voronoi diagrams, of cospherical and other degenerate points.

The programs are qhull's own, and so are the inputs, which its rbox makes: points on a sphere and on a circle, a lattice, a cube, a cone.
On such points facets are coplanar up to roundoff and are merged by tests against its own bounds of error, so there are comparisons of
quantities that are rounding error and nothing else; findings are counted and not judged. What is printed (Tv verifies the
result) must be the same to the last byte.
"""

from harness import fetch
from harness.pair import Pair

ABOUT = "convex hulls in C: cospherical points, lattices and cones, outputs unchanged"
SHA256 = "b5c2d7eb833278881b952c8a52d20179eab87766b00b865000469a45c1838b7e"
PROGRAMS = {
    "rbox": "rbox/rbox_r.c",
    "qconvex": "qconvex/qconvex_r.c",
    "qdelaunay": "qdelaunay/qdelaun_r.c",
    "qvoronoi": "qvoronoi/qvoronoi_r.c",
    "qhalf": "qhalf/qhalf_r.c",
    "qhull": "qhull/unix_r.c",
    "user_eg2": "user_eg2/user_eg2_r.c",
}
# What rbox makes, and what each program does with it.
POINTS = {
    "cospherical": ("200 s D3 t7", ["qdelaunay Qt Fx Fv Tv", "qdelaunay Qz o Tv", "qvoronoi Qz o", "qconvex n FA Tv"]),
    "cocircular": ("60 r D2 t7", ["qdelaunay o Tv", "qvoronoi p Fv"]),
    "lattice": ("M1,0,1 512", ["qconvex n Fx Tv", "qdelaunay Qt FS Tv"]),
    "cube": ("c G1 200 t7", ["qconvex C-0 Qc FA n Tv", "qhull d Qbb Qt o Tv", "qconvex QJ n Tv"]),
    "cone": ("10 r s Z1 G0.3", ["qconvex FQ FV n Tv"]),
    "four dimensions": ("60 s D4 t7", ["qconvex C-0.02 C0.1 n FA Tv"]),
    "many": ("15000 s D3 t7", ["qconvex Fs FS"]),
}


def check(part):
    source = part.unpack(fetch.debian_source(part.workshop, "qhull", "qhull_2020.2.orig.tar.gz", SHA256)) / "src"
    pair = Pair(part, "qhull", "c", ["-O2", "-w", f"-I{source}"])
    library = pair.compile(sorted((source / "libqhull_r").glob("*_r.c")))
    for name, file in PROGRAMS.items():
        # user_eg2 has functions of its own in place of those that qhull keeps in user_r.c for this.
        own = [file for file in library if name != "user_eg2" or file != "user_r.o"]
        pair.link(name, [*own, *pair.compile([source / file])], "-lm")
    for name, (shape, commands) in POINTS.items():
        run, _ = pair.compare(f"rbox, {name}", f"./rbox {shape}")
        points = part.folder / f"{name}.txt"
        points.write_text(run.stdout)
        for command in commands:
            pair.compare(f"{command.split()[0]}, {name} {commands.index(command)}", f"./{command}", stdin=points)
    # What it says on stderr has CPU seconds in it. (user_eg draws its points by the time of day.)
    pair.compare("user_eg2", "./user_eg2 n 'v p' Fp 2> /dev/null")
    pair.close()
