"""One real Spark cluster for all tests that need one: a master and two workers as processes of their own."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench_module import bench_module
from paraphrast.engine.spark import SparkEngine

Standalone = bench_module("standalone").Standalone

#: For jobs of a second: no optimising compiler, no code made for a query, few partitions.
SMALL_JVM = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
SMALL_JOBS = "spark.sql.codegen.wholeStage false\nspark.sql.shuffle.partitions 4\n"


def need_spark() -> None:
    """Skip where Spark cannot run; where the project is tested as a whole, that is a failure."""
    wanting = [name for name in ("pyspark", "sqlglot") if importlib.util.find_spec(name) is None]
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        wanting.append("Java")
    if wanting and os.environ.get("CI"):
        pytest.fail(f"the tests of the Spark engine need {', '.join(wanting)}")
    if wanting:
        pytest.skip(
            f"no {', '.join(wanting)} here: pip install 'paraphrast[spark]', and a Java of 17 or newer"
        )


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A master and two workers with one core each."""
    need_spark()
    folder = tmp_path_factory.mktemp("cluster")
    (folder / "conf").mkdir()
    (folder / "conf" / "spark-defaults.conf").write_text(SMALL_JOBS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_CONF_DIR", str(folder / "conf"))
        patch.setenv("JDK_JAVA_OPTIONS", SMALL_JVM)
        with Standalone(folder, workers=2, cores=1, megabytes=600) as started:
            yield started


@pytest.fixture(scope="session")
def spark_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("spark")


@pytest.fixture(scope="session")
def spark(cluster: Any, spark_folder: Path) -> Iterator[SparkEngine]:
    """An engine on the cluster: its session takes most of the time, so it is shared."""
    with SparkEngine(cluster.url, threads=1, memory="600MB", spill=spark_folder) as engine:
        yield engine
