"""libsvm 3.24: training and prediction, on the data set that comes with it and on data of ours.

Ours have three classes that overlap, and a curve with noise for regression, both from a generator with a fixed seed. Models are written
with 17 digits. Models, predictions and messages must be the same to the last byte.
"""

import random

from harness import fetch
from harness.pair import Pair

ABOUT = "support vector machines in C++: models and predictions unchanged"
SHA256 = "fd8fbf3179765dfcfdf949184b4b2c3c1a3a03834549ce48d42cd0269858f8c3"
# What is trained: the data, and the options of svm-train.
TRAININGS = {
    "heart": ("heart", "-b 1"),
    "heart, linear": ("heart", "-t 0 -c 10"),
    "heart, polynomial": ("heart", "-t 1 -d 3 -g 0.1"),
    "heart, sigmoid, nu": ("heart", "-s 1 -t 3 -n 0.4"),
    "heart, one class": ("heart", "-s 2 -n 0.1"),
    "classes": ("classes", "-c 100 -g 0.5 -b 1"),
    "curve": ("curve", "-s 3 -c 50 -g 2 -p 0.01"),
    "curve, nu": ("curve", "-s 4 -c 50 -g 2"),
}


def check(part):
    source = part.unpack(fetch.debian_source(part.workshop, "libsvm", "libsvm_3.24+ds.orig.tar.xz", SHA256))
    data = {"heart": source / "heart_scale"}
    for name, lines in (("classes", classes(600)), ("curve", curve(400))):
        data[name] = part.folder / f"{name}.txt"
        data[name].write_text("".join(lines))
    pair = Pair(part, "libsvm", "c++", ["-O3", "-w", f"-I{source}"])
    library = pair.compile([source / "svm.cpp"])
    for name in ("svm-train", "svm-predict", "svm-scale"):
        pair.link(name, [*library, *pair.compile([source / f"{name}.c"])], "-lm")
    pair.compare("scale", f"./svm-scale -l -1 -u 1 '{data['classes']}'")
    for name, (which, options) in TRAININGS.items():
        pair.compare(f"train {name}", f"./svm-train {options} '{data[which]}' model", outputs=["model"])
        estimates = "-b 1" if "-b 1" in options else ""
        pair.compare(f"predict {name}", f"./svm-predict {estimates} '{data[which]}' model out", outputs=["out"])
    pair.close()


def classes(count):
    """Points around three centers in five dimensions; some features are absent, as in sparse data."""
    draw = random.Random(11)
    for i in range(count):
        center = i % 3
        features = [center * 0.6 + sum(draw.random() for _ in range(4)) - 2 for _ in range(5)]
        kept = [f"{k + 1}:{x:.6f}" for k, x in enumerate(features) if draw.random() < 0.9]
        yield f"{center} {' '.join(kept)}\n"


def curve(count):
    draw = random.Random(12)
    for i in range(count):
        x = 2 * i / count - 1
        y = x * x * x - 0.5 * x + 0.05 * (draw.random() - 0.5)
        yield f"{y:.9f} 1:{x:.9f} 2:{draw.random():.6f}\n"
