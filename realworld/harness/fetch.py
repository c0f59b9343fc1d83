"""Archives from the package registries.

Each archive is pinned by its SHA-256, so a run means the same thing tomorrow. Debian's own sources of packages are
used, in folders of ours: the system's package lists are not touched, and no rights are needed.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from .workshop import StepFailed, say

SOURCES = Path("/etc/apt/sources.list.d/debian.sources")
SOURCES_OLD = Path("/etc/apt/sources.list")


def debian_source(workshop, package, archive, sha256):
    """The original archive of a Debian source package."""
    return _fetch(workshop, archive, sha256, lambda: _apt(workshop, "source", "--download-only", "--tar-only", package))


def debian_binary(workshop, package, archive, sha256):
    """A binary package of Debian, which is not installed."""
    return _fetch(workshop, archive, sha256, lambda: _apt(workshop, "download", package))


def pypi_source(workshop, package, version, sha256):
    """The source archive of a package on PyPI."""

    def download():
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:"]
        _run([*pip, f"{package}=={version}"], workshop.downloads)

    return _fetch(workshop, f"{package}-{version}.tar.gz", sha256, download)


# What pip asks of a package's build system before it keeps a source archive: a name and a version.
BACKEND = """\
from pathlib import Path

def prepare_metadata_for_build_wheel(directory, config_settings=None):
    info = Path(directory) / "{package}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\\nName: {package}\\nVersion: {version}\\n")
    return info.name
"""


def pypi_source_unbuilt(workshop, package, version, sha256, backend):
    """The same for a package whose build system cannot run here: one of ours, of the same name, only says what it is."""

    def download():
        folder = workshop.root / "backend"
        folder.mkdir(exist_ok=True)
        (folder / f"{backend}.py").write_text(BACKEND.format(package=package, version=version))
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-build-isolation", "--no-binary", ":all:"]
        _run([*pip, f"{package}=={version}"], workshop.downloads, {"PYTHONPATH": str(folder)})

    return _fetch(workshop, f"{package}-{version}.tar.gz", sha256, download)


def crate(workshop, name, version, sha256):
    """The sources of a crate, unpacked. Cargo checks what it fetches against the registry's sums, and this its sum."""
    folder = workshop.root / "crates" / f"{name}-{version}"
    (folder / "src").mkdir(parents=True, exist_ok=True)
    (folder / "src" / "lib.rs").touch()
    manifest = f'[package]\nname = "fetch"\nversion = "0.0.0"\n[dependencies]\n{name} = "={version}"\n[workspace]\n'
    (folder / "Cargo.toml").write_text(manifest)
    say(f"realworld: fetching {name} {version}")
    _run(["cargo", "vendor", "--quiet", "--versioned-dirs", "vendor"], folder)
    if f'checksum = "{sha256}"' not in (folder / "Cargo.lock").read_text():
        raise StepFailed(f"{name} {version} is not the crate these checks were written for: its sum should be {sha256}")
    return folder / "vendor" / f"{name}-{version}"


def _fetch(workshop, archive, sha256, download):
    path = workshop.downloads / archive
    if not _is(path, sha256):
        say(f"realworld: fetching {archive}")
        path.unlink(missing_ok=True)
        download()
    if not path.exists():
        raise StepFailed(f"the registry has no {archive}: these checks are written for Debian 12's versions")
    if not _is(path, sha256):
        raise StepFailed(f"{path} is not the archive these checks were written for: its SHA-256 should be {sha256}")
    return path


def _is(path, sha256):
    return path.exists() and hashlib.sha256(path.read_bytes()).hexdigest() == sha256


def _apt(workshop, *command):
    apt = ["apt-get", "-q", *_private_apt(workshop)]
    lists = workshop.root / "apt" / "lists"
    if not any(lists.glob("*_Sources*")):
        _run([*apt, "update"], workshop.downloads)
    _run([*apt, *command], workshop.downloads)


def _private_apt(workshop):
    """Options for a private set of package lists that has source packages too."""
    root = workshop.root / "apt"
    for folder in ("parts", "lists/partial", "cache/archives/partial"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    if SOURCES.exists():
        text = SOURCES.read_text().replace("Types: deb\n", "Types: deb deb-src\n")
        (root / "parts" / "debian.sources").write_text(text)
    elif SOURCES_OLD.exists():
        lines = [line for line in SOURCES_OLD.read_text().splitlines() if line.startswith("deb ")]
        both = lines + ["deb-src " + line[len("deb ") :] for line in lines]
        (root / "parts" / "debian.list").write_text("\n".join(both) + "\n")
    else:
        raise StepFailed("Debian's package sources were not found: these checks fetch from Debian 12")
    return [
        *("-o", "Dir::Etc::sourcelist=/dev/null"),
        *("-o", f"Dir::Etc::sourceparts={root}/parts"),
        *("-o", f"Dir::State::lists={root}/lists"),
        *("-o", f"Dir::Cache={root}/cache"),
        *("-o", "APT::Sandbox::User="),
    ]


def _run(command, cwd, env=None):
    env = {**os.environ, **(env or {})}
    done = subprocess.run(command, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise StepFailed(f"'{' '.join(command)}' failed:\n{done.stdout[-2000:]}")
