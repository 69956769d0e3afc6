"""`diglot check` as a user meets it: what findings weigh, what is ignored, what is kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support import command

HEAD = "document: {dsl: 1.0.3, namespace: shop, name: order, version: 1.0.0}\n"
UNUSED = HEAD + "use: {retries: {calm: {delay: PT1S}}}\ndo: [{a: {set: {x: 1}}}]\n"
IGNORED = (
    HEAD
    + "use:\n  retries:\n    # diglot: ignore[DG0402] for the next version\n"
    + "    calm: {delay: PT1S}\ndo: [{a: {set: {x: 1}}}]\n"
)


def diglot(*arguments: str, cwd: Path | None = None, input: str | None = None) -> tuple[int, str]:
    """The exit status of a call, and what it printed on both streams."""
    done = command.diglot(*arguments, cwd=cwd, input=input, is_merged=True)
    return done.returncode, done.stdout


@pytest.fixture
def order(tmp_path: Path) -> str:
    """A document with a warning."""
    path = tmp_path / "flows" / "order.yaml"
    path.parent.mkdir()
    path.write_text(UNUSED)
    return str(path)


def settings(folder: Path, text: str) -> None:
    (folder / "diglot.toml").write_text(text)


def test_a_warning_does_not_fail_a_check_unless_it_is_strict(order: str) -> None:
    lenient, strict = diglot("check", order), diglot("check", "--strict", order)

    assert (lenient[0], strict[0]) == (0, 1)
    assert lenient[1] == strict[1]
    assert "DG0402 [warning]" in lenient[1]


def test_an_option_says_what_a_finding_weighs(order: str) -> None:
    raised = diglot("check", order, "--severity", "dg0402=error")
    lowered = diglot("check", order, "--strict", "--severity", "DG0402=info")

    assert raised[0] == 1
    assert "DG0402 [error]" in raised[1]
    assert lowered[0] == 0
    assert diglot("check", order, "--severity", "DG0402=off") == (0, "Found nothing to report.\n")


def test_settings_are_found_above_a_document(order: str, tmp_path: Path) -> None:
    settings(tmp_path, '[check.severities]\nDG0402 = "error"\n')

    assert diglot("check", order)[0] == 1
    assert diglot("check", order, "--severity", "DG0402=off")[0] == 0


def test_the_nearest_settings_hold_alone(order: str, tmp_path: Path) -> None:
    settings(tmp_path, '[check.severities]\nDG0402 = "error"\n')
    settings(tmp_path / "flows", "[check]\n")

    assert diglot("check", order)[0] == 0


def test_settings_can_be_named(order: str, tmp_path: Path) -> None:
    settings(tmp_path / "flows", '[check.severities]\nDG0402 = "error"\n')
    other = tmp_path / "other.toml"
    other.write_text('[check.severities]\nDG0402 = "off"\n')

    assert diglot("check", order, "--config", str(other)) == (0, "Found nothing to report.\n")


def test_standard_input_has_the_settings_of_the_folder(tmp_path: Path) -> None:
    settings(tmp_path, '[check.severities]\nDG0402 = "off"\n')
    done = diglot("check", "-", cwd=tmp_path, input=UNUSED)
    assert done == (0, "Found nothing to report.\n")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[check", "Expected ']'"),
        ("[checks]\n", "there is no setting checks, there is check"),
        ("[check]\nstrict = true\n", "there is no setting check.strict"),
        ("check = 1\n", "check is no table"),
        ("[check.severities]\nDG0402 = 1\n", "check.severities.DG0402 is no text"),
        ('[check.severities]\nDG0000 = "off"\n', "no code is called DG0000"),
        ('[check.severities]\nDG0301 = "info"\n', "DG0301 (duplicate-task-name) stays an error"),
    ],
)
def test_settings_that_cannot_be_are_refused(
    text: str, problem: str, order: str, tmp_path: Path
) -> None:
    settings(tmp_path, text)
    status, said = diglot("check", order)

    assert status == 2
    assert said.startswith(f"diglot: {tmp_path}/diglot.toml: ")
    assert problem in said


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--severity", "DG0402"), "--severity wants CODE=error, warning, info or off"),
        (("--severity", "DG0402=loud"), "loud is no severity"),
        (("--severity", "DG0302=off"), "DG0302 (unknown-then-target) stays an error"),
        (("--config", "nowhere.toml"), "nowhere.toml: No such file or directory"),
    ],
)
def test_a_wrong_call_exits_with_2(arguments: tuple[str, ...], problem: str, order: str) -> None:
    status, said = diglot("check", order, *arguments)
    assert status == 2
    assert problem in said


def test_what_is_ignored_is_counted_and_listed_on_demand(tmp_path: Path) -> None:
    (tmp_path / "order.yaml").write_text(IGNORED)

    assert diglot("check", "--strict", "order.yaml", cwd=tmp_path) == (
        0,
        "Found nothing to report (1 ignored).\n",
    )
    assert diglot("check", "--show-suppressed", "order.yaml", cwd=tmp_path)[1] == (
        "order.yaml:5:5: DG0402 [ignored] the retry policy `calm` is never used\n"
        " = reason: for the next version (order.yaml:4)\n"
        "\n"
        "Found nothing to report (1 ignored).\n"
    )


def test_what_is_ignored_stands_in_json_on_demand_and_in_sarif_always(tmp_path: Path) -> None:
    (tmp_path / "order.yaml").write_text(IGNORED)

    def shown(*arguments: str) -> object:
        return json.loads(diglot("check", "order.yaml", *arguments, cwd=tmp_path)[1])

    assert shown("-f", "json") == []
    (found,) = json.loads(
        diglot("check", "order.yaml", "-f", "json", "--show-suppressed", cwd=tmp_path)[1]
    )
    assert found["suppression"]["reason"] == "for the next version"
    log = json.loads(diglot("check", "order.yaml", "-f", "sarif", cwd=tmp_path)[1])
    (result,) = log["runs"][0]["results"]
    assert result["suppressions"][0]["justification"] == "for the next version"


def test_a_document_with_an_error_that_leaves_its_meaning_is_shown_and_not_run(
    order: str, tmp_path: Path
) -> None:
    settings(tmp_path, '[check.severities]\nDG0402 = "error"\n')

    graph, export, render, run = (
        diglot(command, order) for command in ("graph", "export", "render", "run")
    )

    assert (graph[0], export[0], render[0]) == (0, 0, 0)
    assert "has an error, of which diglot check tells" in export[1]
    assert "<bpmn:definitions" in export[1]
    assert run[0] == 1
    assert "DG0402 [error]" in run[1]


def test_what_was_found_is_kept_with_what_is_published(tmp_path: Path) -> None:
    (tmp_path / "order.yaml").write_text(IGNORED.replace("do:", "    other: {delay: PT1S}\ndo:"))
    database = f"sqlite:///{tmp_path}/runs.db"
    assert diglot("run", "order.yaml", "--database", database, cwd=tmp_path)[0] == 0

    text = diglot("findings", "shop/order", "--database", database)
    plain = json.loads(diglot("findings", "shop/order:1.0.0", "-d", database, "-f", "json")[1])

    assert text == (
        0,
        "order.yaml:6:5: DG0402 [warning] the retry policy `other` is never used\n"
        "order.yaml:5:5: DG0402 [ignored] the retry policy `calm` is never used"
        " (for the next version)\n"
        "Published with 2 findings, 1 of them ignored.\n",
    )
    assert [found["line"] for found in plain] == [6, 5]


def test_findings_of_what_is_not_published_are_a_wrong_call(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/runs.db"
    (tmp_path / "order.yaml").write_text(IGNORED)
    diglot("run", "order.yaml", "--database", database, cwd=tmp_path)

    missing = diglot("findings", "shop/other", "-d", database)

    assert missing == (2, "diglot: shop/other latest is not published\n")
    assert diglot("findings", "shop/order")[0] == 2


# Fixes


def test_fixes_are_put_into_the_file_and_what_is_left_is_told(tmp_path: Path) -> None:
    file = tmp_path / "order.yaml"
    file.write_bytes(
        f"{HEAD}do:\r\n- a: {{if: .a && .b, set: {{x: 'é'}}, then: nowhere}}\r\n".encode()
    )
    file.chmod(0o640)

    status, said = diglot("check", "order.yaml", "--fix", cwd=tmp_path)

    assert status == 1
    assert said.startswith("order.yaml: Write `and` for `&&`.\n")
    assert "DG0302 [error]" in said
    assert file.read_bytes() == (
        f"{HEAD}do:\r\n- a: {{if: .a and .b, set: {{x: 'é'}}, then: nowhere}}\r\n".encode()
    )
    assert file.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["order.yaml"]


def test_a_file_without_anything_to_fix_is_left_alone(order: str) -> None:
    before = Path(order).stat().st_mtime_ns
    assert diglot("check", order, "--fix")[0] == 0
    assert Path(order).stat().st_mtime_ns == before


def test_a_byte_order_mark_stays(tmp_path: Path) -> None:
    file = tmp_path / "order.yaml"
    file.write_bytes(b"\xef\xbb\xbf" + f"{HEAD}do: [{{a: {{wait: 5s}}}}]".encode())

    assert diglot("check", str(file), "--fix")[0] == 0
    assert file.read_bytes().startswith(b"\xef\xbb\xbfdocument")
    assert b"PT5S" in file.read_bytes()


def test_a_link_stays_a_link_when_its_file_is_fixed(tmp_path: Path) -> None:
    (tmp_path / "real.yaml").write_text(f"{HEAD}do: [{{a: {{wait: 5s}}}}]")
    (tmp_path / "link.yaml").symlink_to("real.yaml")

    assert diglot("check", str(tmp_path / "link.yaml"), "--fix")[0] == 0
    assert (tmp_path / "link.yaml").is_symlink()
    assert "PT5S" in (tmp_path / "real.yaml").read_text()


def test_what_is_not_utf_8_is_not_fixed(tmp_path: Path) -> None:
    file = tmp_path / "order.yaml"
    data = f"{HEAD}do: [{{a: {{wait: 5s}}}}]".encode("utf-16")
    file.write_bytes(data)

    status, said = diglot("check", str(file), "--fix")

    assert status == 1
    assert "is not UTF-8, and is not fixed" in said
    assert file.read_bytes() == data


def test_standard_input_cannot_be_fixed() -> None:
    assert diglot("check", "-", "--fix", input=UNUSED)[0] == 2
