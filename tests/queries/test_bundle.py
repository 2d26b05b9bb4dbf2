"""What a bundle changes in the files that it holds, against fastavro, pyarrow and PyIceberg; and how Spark reads it."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Callable
from typing import Any

import fastavro
import pyarrow as pa
import pytest
from pyarrow import parquet
from pyiceberg.table.puffin import PuffinFile

from explorer.errors import UnreadableMetadata
from explorer.queries.bundle import rewriting, secrets
from explorer.queries.bundle.footers import NoFooter, footer
from explorer.queries.files import metadata_file
from explorer.queries.files.avro_file import NotReadable

KEY_VALUE = [
    {"name": "key", "type": "int", "field-id": 126},
    {"name": "value", "type": "bytes", "field-id": 127},
]
BOUNDS = {"type": "array", "logicalType": "map", "items": {"type": "record", "name": "k126_v127", "fields": KEY_VALUE}}
PARTITION = [
    {"name": "day", "type": ["null", {"type": "int", "logicalType": "date"}], "field-id": 1000},
    {
        "name": "price",
        "type": [
            "null",
            {"type": "fixed", "name": "d", "size": 4, "logicalType": "decimal", "precision": 9, "scale": 2},
        ],
        "field-id": 1001,
    },
]
FILE = [
    {"name": "file_path", "type": "string", "field-id": 100},
    {"name": "partition", "type": {"type": "record", "name": "r102", "fields": PARTITION}, "field-id": 102},
    {"name": "lower_bounds", "type": ["null", BOUNDS], "field-id": 125},
    {"name": "upper_bounds", "type": ["null", "k126_v127_map"], "field-id": 128},
    {"name": "key_metadata", "type": ["null", "bytes"], "default": None, "field-id": 131},
]
FILE[3]["type"] = ["null", {"type": "array", "logicalType": "map", "items": "k126_v127"}]
MANIFEST: dict[str, Any] = {
    "type": "record",
    "name": "manifest_entry",
    "fields": [
        {"name": "status", "type": "int", "field-id": 0},
        {"name": "data_file", "type": {"type": "record", "name": "r2", "fields": FILE}, "field-id": 2},
    ],
}
HEADER = {"schema": '{"of": "the table"}', "partition-spec-id": "3", "format-version": "2", "of its writer": "ü"}


def entry(number: int, key: bytes | None = None, day: int = 20_000) -> dict[str, Any]:
    bounds = [{"key": 1, "value": b"Ann"}, {"key": 2147483546, "value": b"s3://b/f.parquet"}]
    partition = {"day": day, "price": b"\x00\x00\x30\x39"}
    file = {"file_path": f"s3://b/{number}.parquet", "partition": partition, "key_metadata": key}
    return {"status": 1, "data_file": file | {"lower_bounds": bounds, "upper_bounds": None if number else bounds[:1]}}


def manifest(entries: list[dict[str, Any]], codec: str = "deflate") -> bytes:
    written = io.BytesIO()
    fastavro.writer(written, MANIFEST, entries, codec, metadata=HEADER)
    return written.getvalue()


def read(content: bytes) -> tuple[dict[str, Any], list[Any]]:
    reader = fastavro.reader(io.BytesIO(content))
    return dict(reader.metadata), list(reader)


@pytest.mark.parametrize("codec", ["null", "deflate"])
def test_bounds_are_taken_out_and_all_else_stays(codec):
    before = manifest([entry(0), entry(1), entry(2)], codec)
    found = rewriting.manifest(before, without_bounds=True)
    (header, entries), (own_header, own) = read(found.content), read(before)
    assert header == own_header
    assert header["avro.codec"] == codec
    kept = [{"key": 2147483546, "value": b"s3://b/f.parquet"}]
    for one in own:
        one["data_file"]["lower_bounds"] = kept
        one["data_file"]["upper_bounds"] = None if one["data_file"]["upper_bounds"] is None else []
    assert entries == own
    assert found.changes == ("Lowest and highest values were taken out.",)
    assert b"Ann" not in found.content
    again = rewriting.manifest(found.content, without_bounds=True)
    assert again.content == found.content
    assert not again.changes


def test_values_beyond_what_python_has_stay_under_a_schema_with_its_logical_types():
    content = manifest([entry(0, day=40_000_000)])
    found = rewriting.manifest(content, without_bounds=True)
    assert read_header(found.content) == read_header(content)
    assert b'"logicalType": "date"' in content
    with pytest.raises(ValueError, match="out of range"):
        read(found.content)


def read_header(content: bytes) -> dict[str, bytes]:
    header = {
        "type": "record",
        "name": "header",
        "fields": [
            {"name": "magic", "type": {"type": "fixed", "name": "magic", "size": 4}},
            {"name": "meta", "type": {"type": "map", "values": "bytes"}},
        ],
    }
    found: Any = fastavro.schemaless_reader(io.BytesIO(content), header, None)
    return dict(found["meta"])


def snappy(entries: list[dict[str, Any]]) -> bytes:
    """A manifest packed by snappy, for which fastavro lacks a library here."""
    plain = manifest(entries, "null").replace(b"\x08null", b"\x0csnappy", 1)
    stream = io.BytesIO(plain)
    sync = plain[-16:]
    start = plain.index(sync) + 16
    stream.seek(start)
    count, size = (int(str(fastavro.schemaless_reader(stream, {"type": "long"}, None))) for _ in range(2))
    block = stream.read(size)
    assert stream.read() == sync
    packed = pa.compress(block, "snappy", asbytes=True) + zlib.crc32(block).to_bytes(4, "big")
    out = io.BytesIO()
    for number in (count, len(packed)):
        fastavro.schemaless_writer(out, {"type": "long"}, number)
    return plain[:start] + out.getvalue() + packed + sync


def test_a_codec_that_fastavro_does_not_know_becomes_deflate():
    before = snappy([entry(0), entry(1)])
    with pytest.raises(ValueError, match="snappy"):
        read(before)
    assert rewriting.manifest(before, without_bounds=False).content == before
    header, entries = read(rewriting.manifest(before, without_bounds=True).content)
    assert header["avro.codec"] == "deflate"
    assert entries == read(rewriting.manifest(manifest([entry(0), entry(1)]), without_bounds=True).content)[1]


def test_a_manifest_that_needs_no_change_stays_byte_for_byte():
    before = manifest([entry(0), entry(1)])
    assert rewriting.manifest(before, without_bounds=False).content is before


@pytest.mark.parametrize("without_bounds", [False, True])
def test_keys_of_files_are_taken_out(without_bounds):
    before = manifest([entry(0), entry(1, key=b"the key")], "null")
    found = rewriting.manifest(before, without_bounds=without_bounds)
    assert b"the key" in before
    assert b"the key" not in found.content
    assert (b"Ann" in found.content) is not without_bounds
    assert found.changes[0] == "Encryption keys of files (key_metadata) were taken out."


def test_a_key_that_the_schema_demands_makes_the_manifest_one_that_cannot_be_bundled():
    schema = json.loads(json.dumps(MANIFEST))
    schema["fields"][1]["type"]["fields"][4] = {"name": "key_metadata", "type": "bytes", "field-id": 131}
    written = io.BytesIO()
    fastavro.writer(written, schema, [entry(0, key=b"the key")])
    with pytest.raises(NotReadable, match="damaged"):
        rewriting.manifest(written.getvalue(), without_bounds=True)


def test_a_list_has_the_lengths_of_the_bundle_and_no_keys():
    fields = [
        {"name": "manifest_path", "type": "string", "field-id": 500},
        {"name": "manifest_length", "type": "long", "field-id": 501},
        {"name": "key_metadata", "type": ["null", "bytes"], "field-id": 519},
    ]
    rows = [{"manifest_path": f"s3://b/{n}.avro", "manifest_length": 100 + n, "key_metadata": None} for n in range(3)]
    written = io.BytesIO()
    fastavro.writer(written, {"type": "record", "name": "manifest_file", "fields": fields}, rows, metadata=HEADER)
    same = rewriting.manifest_list(written.getvalue(), {"s3://b/1.avro": 101})
    assert same.content == written.getvalue()
    found = rewriting.manifest_list(written.getvalue(), {"s3://b/1.avro": 77})
    header, entries = read(found.content)
    assert [row["manifest_length"] for row in entries] == [100, 77, 102]
    assert header == read(written.getvalue())[0]


# metadata files

DOCUMENT = {
    "format-version": 3,
    "location": "s3://b/t",
    "properties": {
        "owner": "ann",
        "s3.access-key-id": "AKIA1",
        "jdbc": "jdbc:postgresql://h/db?user=ann&password=hunter2",
        "empty.token": "",
    },
    "snapshots": [{"snapshot-id": 2**60 + 1, "summary": {"operation": "append", "session.token": "tok1"}}],
    "encryption-keys": [{"key-id": "k1", "encrypted-key-metadata": "c2VjcmV0", "properties": {"kms.secret": "s1"}}],
    "schemas": [{"fields": [{"name": "token", "type": {"type": "map", "key-id": 4, "key": "string"}}]}],
}


@pytest.mark.parametrize("pack", [lambda text: text, gzip.compress])
def test_what_looks_like_a_credential_is_masked_and_told(pack: Callable[[bytes], bytes]):
    content = pack(json.dumps(DOCUMENT).encode())
    found = secrets.metadata_file(metadata_file.parsed("s3://b/t/v1.metadata.json", content), content)
    masked = metadata_file.parsed("s3://b/t/v1.metadata.json", found.content).document
    assert (found.content[:2] == b"\x1f\x8b") is (content[:2] == b"\x1f\x8b")
    expected = json.loads(json.dumps(DOCUMENT))
    expected["properties"]["s3.access-key-id"] = "********"
    expected["properties"]["jdbc"] = "jdbc:postgresql://h/db?user=ann&password=********"
    expected["snapshots"][0]["summary"]["session.token"] = "********"
    expected["encryption-keys"][0] |= {"encrypted-key-metadata": "********", "properties": {"kms.secret": "********"}}
    assert masked == expected
    assert [change.removesuffix(" looks like a credential, and is masked.") for change in found.changes] == [
        "Property s3.access-key-id",
        "Property jdbc",
        "Summary property session.token",
        "Property of an encryption key kms.secret",
        "An encryption key",
    ]


def test_metadata_without_a_credential_stays_byte_for_byte():
    content = b' {"properties": {"owner": "ann"}, "location": "abfss://box@account.dfs.core.windows.net/t"}\n'
    assert secrets.metadata_file(metadata_file.parsed("v1.metadata.json", content), content).content is content


def test_a_metadata_file_that_unzips_to_too_much_is_refused(monkeypatch):
    monkeypatch.setattr(metadata_file, "_MOST_BYTES", 1_000)
    with pytest.raises(UnreadableMetadata, match="would unzip to more than 1,000 bytes"):
        metadata_file.parsed("v1.metadata.json", gzip.compress(b'{"a": "' + b"x" * 5_000 + b'"}'))


# footers


def test_the_footer_of_a_puffin_file_is_its_end_without_a_blob():
    payload = json.dumps({"blobs": [], "properties": {"created-by": "a test"}}).encode()
    end = b"PFA1" + payload + len(payload).to_bytes(4, "little") + bytes(4) + b"PFA1"
    found = footer(io.BytesIO(b"PFA1" + b"a blob" * 9 + end), of_parquet=False)
    assert found == end
    assert PuffinFile(b"PFA1" + found).footer.properties == {"created-by": "a test"}


def test_the_footer_of_a_parquet_file_is_its_end_where_that_is_allowed():
    out = pa.BufferOutputStream()
    parquet.write_table(pa.table({"n": list(range(1_000))}), out)
    content = out.getvalue().to_pybytes()
    found = footer(io.BytesIO(content), of_parquet=True)
    assert content.endswith(found)
    assert parquet.read_metadata(pa.BufferReader(b"PAR1" + bytes(4) + found)).num_rows == 1_000
    with pytest.raises(NoFooter):
        footer(io.BytesIO(content), of_parquet=False)


@pytest.mark.parametrize(
    "content",
    [b"", b"PFA1", bytes(100) + b"PFA1", b"\xff" * 100 + b"PFA1", b"\xff" * 100 + b"PAR1", bytes(100) + b"PAR1"],
)
def test_what_has_no_footer_is_told(content):
    with pytest.raises(NoFooter):
        footer(io.BytesIO(content), of_parquet=True)
