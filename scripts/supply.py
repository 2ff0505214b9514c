"""Write constraints.txt, sbom.cdx.json and docs/licences.md: what paraphrast depends on, in which version and licence.

    python scripts/supply.py            # from the packages of this environment, which must have all extras
    python scripts/supply.py --check    # exit 1 if a dependency or a data source has no row, or a row is out of date

- ``constraints.txt`` pins every package that any extra installs, direct or not: ``pip install -c constraints.txt …``;
- ``sbom.cdx.json`` is a software bill of materials in CycloneDX 1.5, without times and random numbers;
- ``docs/licences.md`` has the licence of each package, as its metadata states it, and of each data source of the index.

``--check`` needs no packages: it compares the three files with each other, with pyproject.toml and with the index.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tomllib
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
CONSTRAINTS, SBOM, LICENCES = ROOT / "constraints.txt", ROOT / "sbom.cdx.json", ROOT / "docs" / "licences.md"
#: Packages that are not installed for the tests, with their licences.
ELSEWHERE = {
    "atheris": "Apache-2.0 (for fuzzing alone)",
    "eflomal": "GPL-3.0 (a program that bench/ runs, never linked)",
    "sil-thot": "LGPL-3.0 (for bench/ alone)",
    "simplemma": "MIT",
}
#: Packages whose metadata gives no short name of a licence.
KNOWN = {
    "axe-playwright-python": "MIT (package), MPL-2.0 (axe-core in it)",
    "eflomal": "GPL-3.0",
    "kenlm": "LGPL-2.1 (for bench/ and KenLM's own files alone)",
}
#: Licences that may not become a dependency of the base install or of an extra that is installed with it.
RESTRICTED = re.compile(r"\bA?GPL", re.IGNORECASE)


@dataclass(frozen=True)
class Package:
    """A package that is installed with some extra. extras: those that bring it, directly or not."""

    name: str
    version: str
    licence: str
    extras: tuple[str, ...]
    is_direct: bool


def canonical(name: str) -> str:
    """The normal form of a package name (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def project() -> dict[str, Any]:
    """The section ``project`` of pyproject.toml."""
    content: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return content


def direct_requirements() -> dict[str, set[str]]:
    """Package → extras that name it; ``base`` is the install without extras."""
    content = project()
    groups = {"base": content["dependencies"], **content["optional-dependencies"]}
    named: dict[str, set[str]] = {}
    for extra, lines in groups.items():
        for line in lines:
            name = canonical(re.split(r"[\s\[<>=!~;]", line, maxsplit=1)[0])
            if name != "paraphrast":
                named.setdefault(name, set()).add(extra)
    return named


def licence_of(distribution: metadata.Distribution) -> str:
    """The licence that a package's metadata states, shortened to its name."""
    about: Any = distribution.metadata  # a message: typeshed leaves its method get out
    name = canonical(about["Name"])
    if name in KNOWN:
        return KNOWN[name]
    expression = about.get("License-Expression")
    if expression:
        return str(expression)
    classes = [
        line.rsplit("::", 1)[1].strip()
        for line in about.get_all("Classifier") or ()
        if line.startswith("License ::")
    ]
    classes = [text for text in classes if text != "OSI Approved"]
    if classes:
        return "; ".join(sorted(classes))
    text = str(about.get("License") or "").strip().splitlines()
    return text[0].strip()[:80] if text and text[0].strip() else ""


def packages() -> list[Package]:
    """Every package that an extra installs on this machine, by name."""
    from packaging.requirements import Requirement

    direct = direct_requirements()
    brought: dict[str, set[str]] = {}
    pending = [(name, frozenset[str](), frozenset(extras)) for name, extras in direct.items()]
    seen: set[tuple[str, frozenset[str], frozenset[str]]] = set()
    while pending:
        name, wanted, extras = pending.pop()
        if (name, wanted, extras) in seen or (name in ELSEWHERE and not _is_installed(name)):
            continue
        seen.add((name, wanted, extras))
        brought.setdefault(name, set()).update(extras)
        for line in metadata.requires(name) or ():
            requirement = Requirement(line)
            marker = requirement.marker
            if marker is None or any(marker.evaluate({"extra": extra}) for extra in (*wanted, "")):
                pending.append((canonical(requirement.name), frozenset(requirement.extras), extras))
    rows = []
    for name in sorted(brought):
        found = metadata.distribution(name)
        rows.append(
            Package(name, found.version, licence_of(found), tuple(sorted(brought[name])), name in direct)
        )
    return rows


def _is_installed(name: str) -> bool:
    try:
        metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def constraints_text(rows: list[Package]) -> str:
    """The pins."""
    head = (
        "# Written by scripts/supply.py. The versions that the tests ran with (Python 3.11, Linux, x86-64):\n"
        "#     pip install -c constraints.txt 'paraphrast[all]'\n"
    )
    return head + "".join(f"{row.name}=={row.version}\n" for row in rows)


def sbom_text(rows: list[Package]) -> str:
    """The bill of materials, with the embedded model as data."""
    digest = (ROOT / "src/paraphrast/models/english.sha256").read_text("ascii").split()[0]
    version = re.search(r'"([^"]+)"', (ROOT / "src/paraphrast/_version.py").read_text("utf-8"))
    assert version is not None
    components: list[dict[str, Any]] = [
        {
            "type": "library",
            "bom-ref": f"pkg:pypi/{row.name}@{row.version}",
            "name": row.name,
            "version": row.version,
            "purl": f"pkg:pypi/{row.name}@{row.version}",
            "licenses": [{"license": {"name": row.licence}}],
            "scope": "required" if "base" in row.extras else "optional",
            "properties": [{"name": "paraphrast:extras", "value": ",".join(row.extras)}],
        }
        for row in rows
    ]
    components.append(
        {
            "type": "data",
            "bom-ref": "paraphrast-model-english",
            "name": "english.zip",
            "hashes": [{"alg": "SHA-256", "content": digest}],
            "description": "The embedded model; NOTICE lists the data that it was made from.",
        }
    )
    content = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "bom-ref": "paraphrast",
                "name": "paraphrast",
                "version": version[1],
                "licenses": [{"license": {"id": "Apache-2.0"}}],
            }
        },
        "components": components,
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def data_rows() -> list[tuple[str, str, str, str]]:
    """Name, licence, version and origin of every data source."""
    index = tomllib.loads((ROOT / "src/paraphrast/data/index.toml").read_text("utf-8"))
    rows = []
    for name, entry in sorted(index.items()):
        origins = {f"{source['via']} {source.get('package', '')}".strip() for source in entry["source"]}
        shown = ", ".join(sorted(origins)[:3]) + (", …" if len(origins) > 3 else "")
        rows.append((name, entry["licence"], entry["version"], shown))
    return rows


def licences_text(rows: list[Package]) -> str:
    """The page."""
    lines = [
        "<!-- Written by scripts/supply.py. Run it again after changing dependencies or the data index. -->",
        "",
        "# Licences",
        "",
        "paraphrast is licensed under Apache-2.0. This page lists the licence of every package that it depends on,",
        "directly or not, as the package's metadata states it, and of every data source that `paraphrast data get`",
        "knows. `NOTICE` has the notices for the data in the embedded model. `constraints.txt` pins the packages, and",
        "`sbom.cdx.json` lists them in the CycloneDX format.",
        "",
        "## Packages",
        "",
        "`base` is the install without extras. Direct dependencies are in bold.",
        "",
        "| package | licence | extras |",
        "|---|---|---|",
    ]
    for row in rows:
        name = f"**{row.name}**" if row.is_direct else row.name
        extras = "base and all extras" if "base" in row.extras else ", ".join(row.extras)
        lines.append(f"| {name} | {_cell(row.licence)} | {extras} |")
    direct = direct_requirements()
    for name, licence in sorted(ELSEWHERE.items()):
        if name not in {row.name for row in rows}:
            lines.append(f"| **{name}** | {_cell(licence)} | {', '.join(sorted(direct[name]))} |")
    lines += ["", "## Data", "", "| name | licence | version | from |", "|---|---|---|---|"]
    lines += [
        f"| {name} | {_cell(licence)} | {version} | {origin} |"
        for name, licence, version, origin in data_rows()
    ]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def problems() -> list[str]:
    """What is missing or out of date in the three files."""
    pins = dict(re.findall(r"^([a-z0-9-]+)==(\S+)$", CONSTRAINTS.read_text("utf-8"), re.MULTILINE))
    page = LICENCES.read_text("utf-8")
    table = dict(re.findall(r"^\| \**([a-z0-9-]+)\** \| (.+?) \| [^|]+ \|$", page, re.MULTILINE))
    bill = json.loads(SBOM.read_text("utf-8"))
    listed = {row["name"]: row["version"] for row in bill["components"] if row["type"] == "library"}
    found = [
        f"{name}: not pinned in constraints.txt"
        for name in direct_requirements()
        if name not in {*pins, *ELSEWHERE}
    ]
    found += [
        f"{name}: no licence in docs/licences.md" for name in {*pins, *direct_requirements()} - table.keys()
    ]
    found += [
        f"{name}: sbom.cdx.json and constraints.txt differ" for name, _ in pins.items() ^ listed.items()
    ]
    for name, licence, version, origin in data_rows():
        if f"| {name} | {_cell(licence)} | {version} | {origin} |" not in page:
            found.append(f"{name}: the row of this data source is missing or out of date")
    for row in bill["components"]:
        licence = "".join(entry["license"].get("name", "") for entry in row.get("licenses", ()))
        if row["type"] == "library" and not licence:
            found.append(f"{row['name']}: no licence in sbom.cdx.json")
        if row.get("scope") == "required" and RESTRICTED.search(licence.replace("LGPL", "")):
            found.append(f"{row['name']}: {licence} may not be in the base install")
    digest = (ROOT / "src/paraphrast/models/english.sha256").read_text("ascii").split()[0]
    if digest not in SBOM.read_text("utf-8"):
        found.append("english.zip: sbom.cdx.json has another hash")
    return sorted(found)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if not options.check:
        rows = packages()
        CONSTRAINTS.write_text(constraints_text(rows), "utf-8")
        SBOM.write_text(sbom_text(rows), "utf-8")
        LICENCES.write_text(licences_text(rows), "utf-8")
    found = problems()
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
