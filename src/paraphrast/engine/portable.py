"""Translate queries for Spark: the part of DuckDB SQL that means the same there.

sqlglot parses a query, and every node of its tree must have the same meaning in both engines, to the bit: integers,
joins, counts, exact sums, ranks by a total order. Anything else is an error that names it, before any data is moved, so
that it is not translated into something similar.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from paraphrast.errors import MissingExtra, ParaphrastError

#: Nodes of sqlglot's tree that mean the same in DuckDB and in Spark's ANSI mode. Some exist only in one version of
#: sqlglot, so these are names, not classes.
ALIKE = {
    "Select", "From", "Join", "Where", "Group", "Having", "Order", "Ordered", "Limit",
    "Union", "Intersect", "Except", "Subquery", "With", "CTE", "Table", "TableAlias", "Alias",
    "Column", "Identifier", "Star", "Paren", "Tuple", "Literal", "Neg", "Add", "Sub",
    "Mul", "IntDiv", "Mod", "BitwiseAnd", "BitwiseOr", "BitwiseLeftShift", "EQ", "NEQ", "GT",
    "GTE", "LT", "LTE", "And", "Or", "Not", "Is", "Null", "Boolean",
    "Between", "In", "Exists", "Case", "If", "Coalesce", "Least", "Greatest", "Abs",
    "Sum", "Count", "CountIf", "Min", "Max", "Window", "WindowSpec", "RowNumber", "Rank",
    "DenseRank", "Lag", "Lead", "Filter", "Distinct", "Cast", "DataType", "Create", "Drop", "Schema", "Properties",
    "TemporaryProperty", "Var",
}  # fmt: skip
#: Types that a cast may use, and the types for their values in Spark, which has no unsigned types.
SPARK_TYPES = {
    "TINYINT": "TINYINT",
    "SMALLINT": "SMALLINT",
    "INTEGER": "INT",
    "BIGINT": "BIGINT",
    "BOOLEAN": "BOOLEAN",
    "UTINYINT": "SMALLINT",
    "USMALLINT": "INT",
    "UINTEGER": "BIGINT",
}
_CASTS = {"TINYINT", "SMALLINT", "INT", "BIGINT"}
_WHY = {
    "Div": "/ gives fractions: use //, and take ratios in numpy",
    "Avg": "an average is a fraction: take it in numpy",
    "Ln": "logarithms differ in the last bit: take them in numpy",
    "Log": "logarithms differ in the last bit: take them in numpy",
    "Lower": "text is not compared in the engine: words are ids",
    "Upper": "text is not compared in the engine: words are ids",
    "Like": "text is not compared in the engine: words are ids",
    "First": "which row is first depends on the engine: use min, or row_number() over a total order",
    "AnyValue": "which row is taken depends on the engine: use min",
    "ReadParquet": "files and tables are not mixed in one query: read the file first",
}


@dataclass(frozen=True)
class Statement:
    """A portable statement.

    kind: "select", "create" or "drop". makes: the table that it creates or drops, else "".
    reads: the tables it names, sorted. query: the DuckDB SELECT in it, else "". spark: the same for Spark.
    """

    kind: str
    makes: str
    reads: tuple[str, ...]
    query: str
    spark: str


def portable(query: str) -> Statement:
    """Check and translate a statement. :class:`ParaphrastError` if the engines might differ."""
    return _portable(query)


@lru_cache(maxsize=256)
def _portable(query: str) -> Statement:
    glot, tree = _parsed(query)
    if isinstance(tree, glot.exp.Drop):
        return Statement("drop", tree.find(glot.exp.Table).name, (), "", "")
    _check(tree, query)
    kind, makes, select = "select", "", tree
    if isinstance(tree, glot.exp.Create):
        kind, makes, select = "create", tree.this.name, tree.expression
        if tree.kind != "TABLE" or select is None:
            raise _refused(query, "only CREATE TABLE … AS SELECT makes tables")
    elif not isinstance(tree, glot.exp.Query):
        raise _refused(query, f"{type(tree).__name__} changes tables in place")
    return Statement(
        kind, makes, _tables(glot, select), select.sql(dialect="duckdb"), _spark(glot, select.copy())
    )


def tables_of(query: str) -> tuple[str, ...]:
    """The tables that a statement names, sorted, without files. The statement need not be portable."""
    glot, tree = _parsed(query)
    return _tables(glot, tree)


def _parsed(query: str) -> tuple[Any, Any]:
    glot = load_sqlglot()
    try:
        return glot, glot.parse_one(query, dialect="duckdb")
    except glot.errors.SqlglotError as error:
        raise _refused(query, f"it cannot be read: {error}") from error


def load_sqlglot() -> Any:
    """The module, or an error that says how to install it."""
    try:
        import sqlglot
        import sqlglot.errors
    except ImportError as error:
        raise MissingExtra("translating queries for Spark", "spark") from error
    return sqlglot


def _tables(glot: Any, tree: Any) -> tuple[str, ...]:
    local_names = {cte.alias for cte in tree.find_all(glot.exp.CTE)}
    named = {
        table.name for table in tree.find_all(glot.exp.Table) if isinstance(table.this, glot.exp.Identifier)
    }
    return tuple(sorted(named - local_names))


def _check(tree: Any, query: str) -> None:
    for node in tree.walk():
        name = type(node).__name__
        if name not in ALIKE:
            shown = node.sql(dialect="duckdb")
            raise _refused(query, f"{shown}: {_WHY.get(name, f'{name} may differ between engines')}")
        if name == "Literal":
            _check_literal(node, query)
        elif name == "Cast":
            # TRY_CAST is a separate class, rejected like all others.
            target = node.to.sql(dialect="duckdb")
            if target not in _CASTS:
                raise _refused(query, f"a cast to {target}: only integers are cast to, and only to integers")
        elif name == "Sum":
            _check_sum(node, query)
        elif name == "BitwiseLeftShift" and type(node.expression).__name__ != "Literal":
            raise _refused(query, "<< by a column: overflow is detected only for a fixed number of bits")
        elif name in ("RowNumber", "Rank", "DenseRank", "Lag", "Lead"):
            window = node.parent
            if type(window).__name__ != "Window" or not window.args.get("order"):
                raise _refused(query, f"{name} without ORDER BY numbers rows by chance")
        elif name == "Limit" and not node.parent.args.get("order"):
            raise _refused(query, "LIMIT without ORDER BY takes rows by chance")


def _check_literal(node: Any, query: str) -> None:
    if node.is_string:
        raise _refused(query, f"the text {node.this!r}: words are ids in the engine")
    try:
        fits = int(node.this) < 2**63
    except ValueError:
        fits = False
    if not fits:
        raise _refused(query, f"the number {node.this}: only integers below 2^63")


def _check_sum(node: Any, query: str) -> None:
    """Sums have 128 bits in DuckDB, 64 in Spark. With a cast to BIGINT, they overflow in both or in neither."""
    above = node.parent
    while type(above).__name__ in ("Window", "Filter", "Coalesce", "Paren"):
        above = above.parent
    if type(above).__name__ != "Cast" or above.to.sql(dialect="duckdb") != "BIGINT":
        raise _refused(query, f"{node.sql(dialect='duckdb')}: write CAST(sum(…) AS BIGINT)")


def _spark(glot: Any, tree: Any) -> str:
    for shift in list(tree.find_all(glot.exp.BitwiseLeftShift)):
        # Java's shift drops bits silently; a product raises an error on overflow, like DuckDB's shift.
        factor = glot.exp.Literal.number(1 << int(shift.expression.this))
        value = glot.exp.cast(shift.this.copy(), "BIGINT", dialect="spark")
        shift.replace(glot.exp.Paren(this=glot.exp.Mul(this=value, expression=factor)))
    return str(tree.sql(dialect="spark", identify=True))


def _refused(query: str, why: str) -> ParaphrastError:
    return ParaphrastError(
        f"this query would not give the same rows on every engine: {why}\n  in: {query}",
        remedy="the rules for queries are in docs/engine.md",
    )
