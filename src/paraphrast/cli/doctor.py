"""`paraphrast doctor`: what is installed, and how to install what is missing."""

from __future__ import annotations

import typer


def doctor() -> None:
    """Show versions, optional packages, tools, cache and models, and how to install what is missing."""
    import platform
    import shutil
    from importlib.metadata import PackageNotFoundError, version

    from paraphrast._extras import DISTRIBUTIONS, EXTRAS
    from paraphrast._jit import cache_is_writable, cache_root
    from paraphrast._version import __version__
    from paraphrast.model.default import EMBEDDED, registry_folder

    typer.echo(f"paraphrast {__version__}, Python {platform.python_version()}, {platform.platform()}")
    for package in ("numpy", "numba", "typer"):
        typer.echo(f"  {package:<16} {version(package)}")
    typer.echo("optional packages")
    for extra, packages in EXTRAS.items():
        for package in packages:
            try:
                state = version(DISTRIBUTIONS.get(package, package))
            except PackageNotFoundError:
                state = f"not installed; pip install 'paraphrast[{extra}]'"
            typer.echo(f"  {package:<16} {state}")
    for tool, use in (("java", "for Spark"), ("dot", "to draw automata")):
        typer.echo(f"  {tool:<16} {shutil.which(tool) or f'not found; only needed {use}'}")
    typer.echo("tools that download data")
    for tool in ("npm", "apt-get"):
        typer.echo(f"  {tool:<16} {shutil.which(tool) or 'not found; the registry model will be smaller'}")
    root = cache_root()
    used = sum(path.stat().st_size for path in root.rglob("*") if path.is_file()) if root.exists() else 0
    free = shutil.disk_usage(root if root.exists() else root.home()).free
    typer.echo(f"cache  {root}: {used / 1e6:,.0f} MB used, {free / 1e9:,.1f} GB free")
    if not cache_is_writable():
        typer.echo(
            "  the cache cannot be written, so compiled kernels are not kept for the next start; set PARAPHRAST_CACHE"
        )
    size = EMBEDDED.stat().st_size / 1e6 if EMBEDDED.exists() else 0.0
    typer.echo(f"default model  {f'embedded, {size:.0f} MB' if size else 'missing from this installation'}")
    typer.echo(
        f"registry model {registry_folder() if registry_folder().exists() else 'not built (optional)'}"
    )
    typer.echo('Next: paraphrast "Your sentence."')
