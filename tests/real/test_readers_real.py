"""Reading the real release, counted independently, and the hostile corpus, each file with its expected verdict."""

from __future__ import annotations

import json
import subprocess
import sys
import tracemalloc
from collections import Counter
from pathlib import Path

import pytest

from curation.errors import BadInput
from curation.model import Dialogue, ReadWarning, Refusal
from curation.readers import read, sniff

pytestmark = pytest.mark.real

# File: dialogues, codes of refusals, codes of warnings. A code alone: the file is refused whole.
_CONTROL: tuple[int, list[str], list[str]] = (1, [], ["control_chars"])
_FINE: tuple[int, list[str], list[str]] = (1, [], [])
VERDICTS: dict[str, tuple[int, list[str], list[str]] | str] = {
    "ok_baseline.jsonl": (2, [], []),
    "enc_utf8_bom.jsonl": _FINE,
    "enc_bom_mid_file.jsonl": (2, [], ["bom_mid_file"]),
    "enc_utf16le_bom.jsonl": (1, [], ["transcoded_utf16"]),
    "enc_utf16le_nobom.jsonl": "encoding_unknown",
    "enc_utf32.jsonl": "encoding_unsupported",
    "enc_gb18030.jsonl": (1, [], ["transcoded_gb18030"]),
    "enc_big5.jsonl": "encoding_not_utf8",
    "enc_latin1_mojibake.jsonl": (1, [], ["control_chars", "mojibake_suspected"]),
    "enc_replacement_chars.jsonl": (1, [], ["replacement_char"]),
    "enc_cesu8.jsonl": "encoding_not_utf8",
    "enc_truncated_multibyte.jsonl": "truncated_file",
    "enc_mixed_lines.jsonl": "encoding_not_utf8",
    "json_empty_file.jsonl": "empty_file",
    "json_only_newlines.jsonl": "empty_file",
    "json_blank_lines.jsonl": (2, [], []),
    "json_cr_only.jsonl": (0, ["json_syntax"], []),
    "json_no_final_newline.jsonl": (2, [], []),
    "json_truncated_last.jsonl": "truncated_file",
    "json_single_quotes.jsonl": (0, ["json_syntax"], []),
    "json_array_file.json": (2, [], []),
    "json_two_objects_one_line.jsonl": (0, ["json_syntax"], []),
    "json_scalar_lines.jsonl": (0, ["not_an_object"] * 5, []),
    "json_duplicate_keys.jsonl": (0, ["duplicate_key"], []),
    "json_duplicate_keys_escaped.jsonl": (0, ["duplicate_key"], []),
    "json_infinity.jsonl": (0, ["non_finite_number"], []),
    "json_float_overflow.jsonl": (0, ["non_finite_number"], []),
    "json_huge_int.jsonl": (0, ["int_out_of_range"], []),
    "json_id_int_vs_str.jsonl": (1, ["id_conflict"], ["speaker_count"]),
    "json_id_float.jsonl": (0, ["id_not_string"], []),
    "json_bool_as_int.jsonl": (0, ["wrong_type"], []),
    "json_deep_nesting_100k.jsonl": (0, ["too_deep"], []),
    "json_many_keys.jsonl": (0, ["too_many_keys"], []),
    "json_sql_keys.jsonl": _FINE,
    "json_case_keys.jsonl": (0, ["missing_field"], []),
    "json_extra_whitespace_id.jsonl": (1, ["bad_id"], ["speaker_count"]),
    "json_id_unicode_lookalike.jsonl": (2, [], []),
    "json_id_path.jsonl": (0, ["bad_id"], []),
    "json_id_empty.jsonl": (0, ["bad_id"], []),
    "json_id_long.jsonl": (0, ["bad_id"], []),
    "json_id_duplicate_diff.jsonl": (1, ["id_conflict"], []),
    "json_bigline_2mb.jsonl": (0, ["line_too_long"], []),
    "json_utf8_in_escapes.jsonl": _FINE,
    "text_ansi_csi.jsonl": _CONTROL,
    "text_osc52_clipboard_st.jsonl": _CONTROL,
    "text_osc52_clipboard_bel.jsonl": _CONTROL,
    "text_osc8_link.jsonl": _CONTROL,
    "text_osc0_title.jsonl": _CONTROL,
    "text_osc_unterminated.jsonl": _CONTROL,
    "text_dcs_apc.jsonl": _CONTROL,
    "text_csi_report.jsonl": _CONTROL,
    "text_c1_8bit.jsonl": _CONTROL,
    "text_bracketed_paste.jsonl": _CONTROL,
    "text_bel_bs_cr.jsonl": _CONTROL,
    "text_nul.jsonl": (0, ["nul_char"], []),
    "text_lone_surrogate_high.jsonl": (0, ["lone_surrogate"], []),
    "text_lone_surrogate_low.jsonl": (0, ["lone_surrogate"], []),
    "text_surrogate_swapped.jsonl": (0, ["lone_surrogate"], []),
    "text_noncharacters.jsonl": (1, [], ["noncharacters"]),
    "text_bidi_override.jsonl": (1, [], ["bidi_control"]),
    "text_bidi_isolates.jsonl": (1, [], ["bidi_control"]),
    "text_zero_width.jsonl": (1, [], ["invisible_chars"]),
    "text_tag_chars.jsonl": (1, [], ["invisible_chars"]),
    "text_variation_selectors.jsonl": (1, [], ["invisible_chars"]),
    "text_zalgo.jsonl": (1, [], ["combining_flood"]),
    "text_line_separators.jsonl": _CONTROL,
    "text_newlines_in_turn.jsonl": _FINE,
    "text_tabs.jsonl": _FINE,
    "text_rich_markup_close.jsonl": _FINE,
    "text_rich_markup_click.jsonl": _FINE,
    "text_rich_markup_link.jsonl": _FINE,
    "text_rich_emoji.jsonl": _FINE,
    "text_backslash_bracket.jsonl": _FINE,
    "text_format_strings.jsonl": _FINE,
    "text_html_script.jsonl": _FINE,
    "text_csv_formula.jsonl": _FINE,
    "text_csv_formula_variants.jsonl": _CONTROL,
    "text_prompt_injection.jsonl": _FINE,
    "text_empty.jsonl": (1, [], ["empty_turn"]),
    "text_whitespace_only.jsonl": (1, [], ["empty_turn", "invisible_chars"]),
    "text_emoji_zwj.jsonl": _FINE,
    "text_wechat_placeholder.jsonl": _FINE,
    "text_traditional_variants.jsonl": _FINE,
    "text_fullwidth_pii.jsonl": _FINE,
    "text_very_long_token.jsonl": _FINE,
    "sem_turns_not_list.jsonl": (0, ["wrong_type"], []),
    "sem_three_speakers.jsonl": (1, [], ["speaker_count"]),
    "sem_one_speaker.jsonl": (1, [], ["speaker_count"]),
    "sem_missing_text.jsonl": (0, ["missing_field"], []),
    "sem_null_text.jsonl": (0, ["wrong_type"], []),
    # Labels and scores are no dialogues; what is wrong with their values is for the reader of decisions to say.
    "sem_label_unknown.jsonl": (0, ["missing_field"], []),
    "sem_score_string.jsonl": (0, ["missing_field"], []),
    "sem_date_invalid.jsonl": (0, ["bad_datetime"], []),
    # Two of the nine are impossible; the others are kept as written, naive ones as wall-clock.
    "sem_date_variants.jsonl": (7, ["bad_datetime"] * 2, []),
    "csv_ok.csv": _FINE,
    "csv_semicolon.csv": "csv_header",
    "csv_header_only.csv": "empty_file",
    "csv_ragged.csv": (0, ["csv_columns"] * 2, []),
    "csv_unclosed_quote.csv": "csv_quote",
    "csv_newline_in_field.csv": (1, [], ["speaker_count"]),
    "csv_duplicate_header.csv": "csv_header",
    "csv_bom_header.csv": (1, [], ["speaker_count"]),
    "csv_nul.csv": (0, ["nul_char"], []),
    "csv_field_200k.csv": (0, ["field_too_long"], []),
    "csv_leading_zero_ids.csv": (3, [], ["speaker_count"]),
    "csv_formula.csv": (1, [], ["speaker_count"]),
    "fs_symlink_to_etc.jsonl": "not_regular_file",
    "fs_symlink_loop.jsonl": "not_regular_file",
    "fs_symlink_dangling.jsonl": "not_regular_file",
    "fs_symlink_dev_null.jsonl": "not_regular_file",
    "fs_directory.jsonl": "not_regular_file",
    "-rf.jsonl": _FINE,
    "空 格\u202eeslj.jsonl": _FINE,
    "new\nline.jsonl": _FINE,
    "esc\x1b]0;PWNED\x07name.jsonl": _FINE,
}


@pytest.fixture(scope="module")
def hostile(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if sys.platform == "win32":
        pytest.skip("the corpus has file names that Windows does not allow")
    folder = tmp_path_factory.mktemp("hostile")
    made = subprocess.run(
        [sys.executable, "-W", "ignore", str(shared / "tools" / "make_hostile.py"), str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    return folder


@pytest.mark.parametrize("name", VERDICTS)
def test_a_hostile_file_gets_its_verdict(hostile: Path, name: str) -> None:
    expected = VERDICTS[name]
    if isinstance(expected, str):
        with pytest.raises(BadInput) as caught:
            next(read(hostile / name))
        assert caught.value.code == expected
        return
    found = list(read(hostile / name))
    refusals = [r.code for r in found if isinstance(r, Refusal)]
    warnings = sorted(r.code for r in found if isinstance(r, ReadWarning))
    assert (sum(isinstance(r, Dialogue) for r in found), refusals, warnings) == expected


def test_every_hostile_input_file_is_in_the_table(hostile: Path) -> None:
    files = {p.name for p in hostile.iterdir() if not p.name.startswith(("packet_", "db_", "manifest"))}
    assert files == set(VERDICTS)


def test_hostile_text_is_kept_to_the_byte(hostile: Path) -> None:
    seen = 0
    for path in sorted(hostile.glob("text_*.jsonl")):
        wanted = [[t["text"] for t in json.loads(line)["turns"]] for line in path.read_bytes().splitlines()]
        got = [[m.text for m in r.messages] for r in read(path) if isinstance(r, Dialogue)]
        assert got in (wanted, []), path.name
        seen += len(got)
    assert seen > 30


def test_gb18030_gives_what_utf8_gives(hostile: Path) -> None:
    assert next(r for r in read(hostile / "enc_gb18030.jsonl") if isinstance(r, Dialogue)) == next(
        r for r in read(hostile / "ok_baseline.jsonl") if isinstance(r, Dialogue)
    )


@pytest.fixture(scope="module")
def release(shared: Path) -> Path:
    return shared / "data" / "si-bench" / "SI-Bench.json"


def test_the_release_has_as_many_dialogues_and_messages_as_it_says(release: Path) -> None:
    assert sniff(release).name == "sibench_json"
    found = list(read(release))
    dialogues = [r for r in found if isinstance(r, Dialogue)]
    assert [r for r in found if isinstance(r, Refusal)] == []
    assert len(dialogues) == 2221
    assert sum(len(d.messages) for d in dialogues) == 55_294
    assert {d.self_speaker for d in dialogues} == {"用户"}
    assert all(d.messages[-1].speaker == "对方" for d in dialogues)
    assert sum(len(d.turns) < 6 for d in dialogues) == 28
    assert Counter(d.metadata["second_level_scenario_en"] for d in dialogues)["Rejection"] == 593


def test_the_release_is_split_as_a_line_by_line_reading_splits_it(release: Path) -> None:
    """Another way to the same messages: walk the lines, look at their beginnings, glue what has none."""
    by_id = {d.external_id: d for d in read(release) if isinstance(d, Dialogue)}
    for record in json.loads(release.read_bytes()):
        expected: list[list[str]] = []
        for line in record["chat_messages"].split("\n"):
            head = line[1:] if line.startswith("f") else line
            if head[:2] in ("用户", "对方") and head[2:3] in (":", "："):
                rest = head[3:]
                expected.append([head[:2], rest[1:] if rest.startswith(" ") else rest])
            elif expected:
                expected[-1][1] += "\n" + line
            else:
                assert line == ""
        dialogue = by_id[str(record["id"])]
        assert [[m.speaker, m.text] for m in dialogue.messages] == expected
        del record["chat_messages"], record["id"]
        assert dialogue.metadata == record


def test_the_release_as_lines_gives_the_same(release: Path, tmp_path: Path) -> None:
    lines = tmp_path / "release.jsonl"
    records = json.loads(release.read_bytes())
    lines.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records), "utf-8", newline="\n")
    wanted = {d.external_id: d for d in read(release) if isinstance(d, Dialogue)}
    assert {d.external_id: d for d in read(lines) if isinstance(d, Dialogue)} == wanted


def test_memory_does_not_grow_with_the_file(release: Path, tmp_path: Path) -> None:
    records = json.loads(release.read_bytes())
    peaks = []
    for copies in (2, 10):
        path = tmp_path / f"{copies}.jsonl"
        with path.open("w", encoding="utf-8", newline="\n") as out:
            for copy in range(copies):
                out.writelines(json.dumps({**r, "id": f"{copy}-{r['id']}"}) + "\n" for r in records)
        tracemalloc.start()
        count = sum(isinstance(r, Dialogue) for r in read(path))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert count == copies * 2221
    assert peaks[1] < peaks[0] + 3_000_000
