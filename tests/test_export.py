"""What leaves the notebook as a file, of data that a person would not have written so."""

from __future__ import annotations

import csv
import io
from decimal import Decimal
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner

from explorer import cli
from explorer.table.export import to_csv
from tests.table.made_picture import MadePicture


def cells(data: dict[str, list[Any]]) -> list[list[str]]:
    return list(csv.reader(io.StringIO(to_csv(MadePicture(lambda: pd.DataFrame(data))))))


@pytest.mark.parametrize(
    "formula",
    [
        "=1+1",
        "+49 30",
        "-2+3",
        "--5",
        "-cmd|' /C calc'!A0",
        "@SUM(A1)",
        '=HYPERLINK("http://x","y")',
        "＝1+1",
        "-",
        "-1-2",
    ],
)
def test_no_text_of_a_table_and_no_name_of_a_column_is_a_formula_in_a_spreadsheet(formula: str) -> None:
    assert cells({formula: [formula, "plain"]}) == [[f"'{formula}"], [f"'{formula}"], ["plain"]]


@pytest.mark.parametrize("first", ["\t", "\r", "\n", "\r\n"])
def test_no_formula_hides_behind_a_character_that_is_not_seen(first: str) -> None:
    for (cell,) in cells({f"{first}=1+1": [f"{first}=1+1"]}):
        assert cell[0] not in "=+-@\t\r\n"


def test_a_number_stays_one_and_so_does_an_id_below_zero() -> None:
    numbers = {
        "whole": [-5],
        "part": [-0.25],
        "small": [-1e-20],
        "endless": [float("-inf")],
        "exact": [Decimal("-12.50")],
        "id": ["-9223372036854775808"],
        "path": ["s3://a/b=c/-1.parquet"],
        "list": [["=1", "-1"]],
    }
    _, row = cells(numbers)
    assert row == [
        "-5",
        "-0.25",
        "-1e-20",
        "-inf",
        "-12.50",
        "-9223372036854775808",
        "s3://a/b=c/-1.parquet",
        '["=1", "-1"]',
    ]


def test_the_help_says_what_becomes_of_formulas() -> None:
    help_ = " ".join(CliRunner().invoke(cli.main, ["show", "graph", "--help"]).stdout.split())
    assert "with a ' before text that a spreadsheet would run as a formula" in help_
