"""Texts with their fields: what is read is written again, with the rewrite beside it."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraphrast.errors import ParaphrastError
from paraphrast.formats.records import RecordReader, RecordWriter, kind_of


def written(path: Path, kind: str, name: str | None = None, into: str = "new", *, header: bool = True) -> str:
    """The file with each text reversed as its rewrite."""
    reader = RecordReader(path, name=name, header=header)
    try:
        writer = RecordWriter(reader, kind, into)
        stream = io.StringIO()
        writer.begin(stream)
        for record in reader:
            writer.write(stream, record, record.text[::-1], 1)
        return stream.getvalue()
    finally:
        reader.close()


def file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return path


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.csv", "csv"),
        ("a.TSV", "tsv"),
        ("a.jsonl.gz", "jsonl"),
        ("a.ndjson", "jsonl"),
        ("a.txt", "lines"),
        ("a", "lines"),
        ("a.gz", "lines"),
        ("-", "lines"),
    ],
)
def test_the_name_tells_the_kind(name: str, kind: str) -> None:
    assert kind_of(name) == kind


def test_csv_keeps_all_columns_and_quotes(tmp_path: Path) -> None:
    path = file(tmp_path, "a.csv", 'id,text,note\r\n1,"ab, ""c""","two\nlines"\r\n2,d,\r\n')
    assert written(path, "csv") == (
        'id,text,note,new,new_rank\n1,"ab, ""c""","two\nlines","""c"" ,ba",1\n2,d,,d,1\n'
    )
    assert written(path, "csv", into="text").splitlines()[0] == "id,text,note,text_rank"


def test_semicolons_stay(tmp_path: Path) -> None:
    path = file(tmp_path, "a.csv", "id;text\n1;a, b\n")
    assert written(path, "csv") == "id;text;new;new_rank\n1;a, b;b ,a;1\n"


def test_quotes_in_tsv_are_text(tmp_path: Path) -> None:
    path = file(tmp_path, "a.tsv", 'text\tid\n"Go," he said.\t7\n')
    assert written(path, "tsv").splitlines()[1] == '"Go," he said.\t7\t.dias eh ",oG"\t1'
    path = file(tmp_path, "b.tsv", "ab\t1\ncd\t2\n")
    assert written(path, "tsv", "1", header=False) == "ab\t1\tba\t1\ncd\t2\tdc\t1\n"


def test_jsonl_keeps_types_and_missing_fields(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [{"text": "ab", "n": 1, "deep": {"x": [None, True]}}, {"text": "é"}]
    path = file(tmp_path, "a.jsonl", "\n".join(json.dumps(row) for row in rows) + "\n\n")
    result = [json.loads(line) for line in written(path, "jsonl").splitlines()]
    assert result == [{**row, "new": str(row["text"])[::-1], "new_rank": 1} for row in rows]


def test_plain_lines_become_records(tmp_path: Path) -> None:
    path = file(tmp_path, "a.txt", "ab\n\ncd\n")
    assert written(path, "csv") == "line,text,new,new_rank\n1,ab,ba,1\n2,,,1\n3,cd,dc,1\n"


@given(
    st.lists(
        st.fixed_dictionaries(
            {"text": st.text(st.characters(exclude_characters="\r\0", exclude_categories=["Cs"]))},
            optional={"n": st.integers() | st.none() | st.text("ab\n\t,;\"'")},
        ),
        min_size=1,
    )
)
def test_any_jsonl_comes_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, object]]
) -> None:
    path = tmp_path_factory.mktemp("records") / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8", newline="")
    again = [dict(record.fields) for record in RecordReader(path, name="text")]
    assert again == rows


@pytest.mark.parametrize(
    ("name", "text", "field", "message"),
    [
        ("a.csv", "id,body\n1,a\n", None, "expected --field NAME"),
        ("a.csv", "id,body\n1,a\n", "text", "the file has the fields id, body"),
        ("a.csv", "id,text\n1\n", "text", "a.csv:2: expected 2 fields (id, text), got 1"),
        ("a.csv", "text,text\na,b\n", "text", "different names"),
        ("a.csv", 'text\n"open\n', "text", "not valid CSV"),
        ("a.csv", "", None, "empty file"),
        ("a.jsonl", '{"text": "a"}\n{"text": null}\n', None, "a.jsonl:2: field 'text': expected a text, got nothing"),
        ("a.jsonl", '{"text": "a"}\n{"text": 3}\n', None, "got int '3'"),
        ("a.jsonl", '[{"text": "a"},\n', None, "one JSON array"),
        ("a.txt", "a\n", "text", "expected CSV, TSV or JSONL"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_reported_with_its_place(
    tmp_path: Path, name: str, text: str, field: str | None, message: str
) -> None:
    path = file(tmp_path, name, text)
    with pytest.raises(ParaphrastError) as error:
        list(RecordReader(path, name=field))
    assert message in str(error.value)


def test_a_field_of_the_same_name_is_refused(tmp_path: Path) -> None:
    path = file(tmp_path, "a.csv", "text,new\na,b\n")
    with pytest.raises(ParaphrastError, match="--into"):
        written(path, "csv", "text")
    path = file(tmp_path, "a.jsonl", '{"text": "a"}\n{"text": "a", "new": 1}\n')
    with pytest.raises(ParaphrastError, match="row 2 has a field 'new'"):
        written(path, "jsonl")
    with pytest.raises(ParaphrastError, match="JSONL can only be written as JSONL"):
        written(path, "csv")


def test_a_field_inside_an_object(tmp_path: Path) -> None:
    path = file(tmp_path, "a.jsonl", '{"id": 1, "data": {"text": "ab", "x": [1]}}\n')
    [record] = [json.loads(line) for line in written(path, "jsonl", "data.text").splitlines()]
    assert record == {"id": 1, "data": {"text": "ab", "x": [1]}, "new": "ba", "new_rank": 1}
    [record] = [json.loads(line) for line in written(path, "jsonl", "data.text", "data.text").splitlines()]
    assert record == {"id": 1, "data": {"text": "ba", "x": [1]}, "data.text_rank": 1}
    with pytest.raises(ParaphrastError, match=r"fields id, data\.text, data\.x"):
        written(path, "jsonl", "data.none")
    # A field whose own name has a dot takes precedence; an object without the field is named.
    path = file(tmp_path, "b.jsonl", '{"data.text": "own", "data": {"text": "ab"}}\n{"data": "ab"}\n')
    with pytest.raises(
        ParaphrastError, match=r"b\.jsonl:2: field 'data\.text': expected a text, got nothing"
    ):
        written(path, "jsonl", "data.text")
    path = file(tmp_path, "c.jsonl", '{"data": {"text": "ab"}}\n{"data": "ab"}\n')
    with pytest.raises(
        ParaphrastError, match=r"c\.jsonl:2: field 'data\.text': expected a text, got nothing"
    ):
        written(path, "jsonl", "data.text")
