"""Configurations that programs log as a text: JSON, YAML, a Python dictionary, `Namespace(…)`, a Markdown table.

    transformers    args: {"learning_rate": 5e-05, …} as JSON
    CleanRL         hyperparameters: |param|value| table
    argparse        Namespace(lr=0.1, bs=32), or json.dumps(vars(args)), in a fence or not
    Hydra           config: YAML, nested
    Lightning       hparams.yaml beside the logs

The last word of the tag decides whether a text is parsed. Nothing here is executed: literals only.
"""

from __future__ import annotations

import ast
import functools
import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lightboard.formats import yaml_texts

WORDS = (
    "hparams", "hparam", "hyperparameters", "hyperparameter", "hyper_parameters", "hyperparams", "hyper_params",
    "args", "arguments", "training_args", "training_arguments", "trainingarguments", "train_args", "cli_args",
    "config", "configuration", "cfg", "conf", "run_config", "train_config", "training_config", "trainer_config",
    "experiment_config", "params", "parameters", "options", "opts", "opt", "flags", "settings", "namespace",
    "model_config", "model_args", "data_args",
)  # fmt: skip
MAX_CHARS = 250_000  # the limit of a configuration; a longer text is not parsed
MAX_NAMES = 10_000
MAX_DEPTH = 20
MAX_NAME = 500
MAX_NUMBER = 400  # characters of a number; a longer one is a text
MAX_LITERAL = 50_000  # characters given to Python's parser
_RANKS = {word: rank for rank, word in enumerate(WORDS)}
_FENCES = ("```", "~~~")
_CALL = re.compile(r"^[\w.]+\((.*)\)$", re.DOTALL)
_OBJECT = re.compile(r"(?<=[=:\[( ])<[^<>]{1,500}>")


def is_config_tag(tag: str) -> bool:
    """Whether a text under this tag may be a configuration: its last word is one of WORDS."""
    return _word(tag) in _RANKS


def rank(tag: str) -> int:
    """Return the priority of a text among several; lower wins."""
    return _RANKS.get(_word(tag), len(_RANKS))


def _word(tag: str) -> str:
    """Return the last word of a tag, without the word that PyTorch appends."""
    name = tag.removesuffix("/text_summary").removesuffix("/text")
    return name.rpartition("/")[2].strip().lower().replace(" ", "_").replace("-", "_")


def maybe_parse(strings: Sequence[bytes], shape: Sequence[int] = ()) -> dict[str, Any] | None:
    """Return the configuration in a text value, nested as it was logged; None if there is none."""
    if not strings or sum(map(len, strings)) > 4 * MAX_CHARS:
        return None
    texts = [each.decode("utf-8", "replace") for each in strings]
    if len(shape) == 2 and shape[1] == 2 and len(texts) == 2 * shape[0]:  # a table of names and values
        return _maybe_bounded(lambda: dict(zip(texts[::2], map(_scalar, texts[1::2]), strict=True)))
    return maybe_parse_text("\n".join(texts))


def maybe_parse_text(text: str) -> dict[str, Any] | None:
    if len(text) > MAX_CHARS:
        return None
    text = _unwrapped(text)
    for read in (_maybe_json, _maybe_python, _maybe_table, _maybe_yaml, _maybe_lines):
        found = _maybe_bounded(functools.partial(read, text))
        if found:
            return found
    return None


# Programs may log any text, even a hostile one: the time of everything below is bounded by the length of the text.

# Errors of parsing or printing Python literals: numbers of more than 4,300 digits, very deep nesting.
_NO_LITERAL = (ValueError, SyntaxError, RecursionError, MemoryError, TypeError, OverflowError)


def _maybe_bounded(read: Callable[[], Mapping[str, Any] | None]) -> dict[str, Any] | None:
    try:
        return _bounded(read() or {})
    except _NO_LITERAL:
        return None


def _unwrapped(text: str) -> str:
    """Remove a code fence or `<pre>` around the text."""
    text = text.strip("\ufeff \t\r\n")
    for fence in _FENCES:
        if text.startswith(fence) and text.endswith(fence) and "\n" in text:
            text = text.removesuffix(fence).partition("\n")[2]
    low = text[:20].lower()
    if low.startswith("<pre>") and text[-6:].lower() == "</pre>":
        text = text[5:-6]
        if text[:6].lower() == "<code>" and text[-7:].lower() == "</code>":
            text = text[6:-7]
    # Keep spaces before the first line: they are its indentation.
    return text.strip("\ufeff\r\n").rstrip()


def _bounded(found: Mapping[str, Any]) -> dict[str, Any] | None:
    kept = {str(name): _plain(value, 1) for name, value in list(found.items())[:MAX_NAMES] if str(name).strip()}
    return kept or None


def _plain(value: Any, depth: int) -> Any:
    """Convert a value of a type that hparams cannot have to text."""
    if isinstance(value, dict) and value and depth < MAX_DEPTH:
        return {str(name): _plain(each, depth + 1) for name, each in list(value.items())[:MAX_NAMES]}
    if isinstance(value, int) and abs(value) >= 1 << 63:
        return float(value) if value.bit_length() < 1024 else hex(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (dict, list, tuple)):
        return json.dumps(value, ensure_ascii=False, default=str) if value or not isinstance(value, dict) else None
    return str(value)


def _maybe_json(text: str) -> dict[str, Any] | None:
    if not text.startswith("{"):
        return None
    found = json.loads(text)
    return found if isinstance(found, dict) else None


def _maybe_python(text: str) -> dict[str, Any] | None:
    """Parse a dictionary as Python prints it, or a call with keyword arguments: Namespace(lr=0.1),
    TrainingArguments(…)."""
    if not text.startswith("{") and not _CALL.match(text):
        return None
    if len(text) > MAX_LITERAL:
        return None
    # Objects are printed as <function f at 0x7f…>, which is not valid Python.
    body = ast.parse(_OBJECT.sub(lambda match: repr(match[0]), text), mode="eval").body
    if isinstance(body, ast.Call) and body.keywords and not body.args:
        return {each.arg: _literal(each.value) for each in body.keywords if each.arg}
    if isinstance(body, ast.Dict):
        names = [_literal(key) if key is not None else None for key in body.keys]
        return {str(name): _literal(value) for name, value in zip(names, body.values, strict=True)}
    return None


def _literal(node: ast.expr) -> Any:
    """Return the value of a literal; anything else (an object, a call) as its source text."""
    if isinstance(node, ast.Call) and node.keywords and not node.args:
        return {each.arg: _literal(each.value) for each in node.keywords if each.arg}
    if isinstance(node, ast.Dict):
        return {
            str(_literal(key)): _literal(value)
            for key, value in zip(node.keys, node.values, strict=True)
            if key is not None
        }
    if isinstance(node, ast.Name) and node.id in ("nan", "inf"):
        return float(node.id)
    try:
        return ast.literal_eval(node)
    except ValueError:
        return ast.unparse(node)


def _maybe_table(text: str) -> dict[str, Any] | None:
    """Parse a Markdown table of two columns, without its header."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    at = next((i for i, line in enumerate(lines) if _is_rule(line)), None)
    if at is None or at == 0:
        return None
    found: dict[str, Any] = {}
    for line in lines[at + 1 :]:
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("|"), maxsplit=1)]
        if len(cells) != 2 or not cells[0]:
            return found or None
        found[_bare(cells[0])] = _scalar(_bare(cells[1].strip("| ")))
    return found or None


def _is_rule(line: str) -> bool:
    return "|" in line and "-" in line and not line.strip("|:- \t")


def _bare(cell: str) -> str:
    """Remove the marks for bold or code."""
    for mark in ("**", "__", "`"):
        if len(cell) > 2 * len(mark) and cell.startswith(mark) and cell.endswith(mark):
            return cell[len(mark) : -len(mark)]
    return cell.replace("\\|", "|").replace("\\_", "_")


def _maybe_yaml(text: str) -> dict[str, Any] | None:
    """Raises ValueError if it is not YAML. Prose with a colon is valid YAML, so long names are rejected."""
    found = yaml_texts.maybe_mapping(text, _scalar)
    return None if found is None or any(len(name) > MAX_NAME for name in found) else found


def _maybe_lines(text: str) -> dict[str, Any] | None:
    """Parse `name: value` or `name = value` lines, nested by indentation: the subset of YAML that configurations
    use."""
    root: dict[str, Any] = {}
    # (indentation, dictionary for names of this depth); `pending` is the name whose value may follow on the next lines
    stack: list[tuple[int, dict[str, Any]]] = [(-1, root)]
    pending: tuple[dict[str, Any], str, int] | None = None
    listed: list[Any] | None = None
    odd = lines = 0
    for line in text.splitlines():
        bare = line.strip()
        if not bare or bare.startswith(("#", "%", "---", "...", "!!")):
            continue
        lines += 1
        indent = len(line) - len(line.lstrip())
        if pending is not None and (bare.startswith("- ") or bare == "-") and indent >= pending[2]:
            if listed is None:
                listed = pending[0][pending[1]] = []
            listed.append(_scalar(bare[1:].strip()))
            continue
        pair = _maybe_pair(bare)
        if pair is None:
            odd += 1
            continue
        while stack[-1][0] >= indent:
            stack.pop()
        if pending is not None and indent > pending[2] and listed is None and pending[0][pending[1]] is None:
            inner: dict[str, Any] = {}
            pending[0][pending[1]] = inner
            stack.append((pending[2], inner))
        name, value = pair
        pending, listed = None, None
        value = re.sub(r"^(&\S+|!\S+)\s*", "", value)  # anchors and types of YAML
        into = stack[-1][1]
        if value in ("", "|", ">", "{}"):
            into[name] = None
            pending = into, name, indent
        else:
            into[name] = _scalar(value)
        if len(root) > MAX_NAMES or len(stack) > MAX_DEPTH:
            break
    # Prose sometimes has a colon: reject the text if too many lines have none.
    return root if root and odd * 4 <= lines else None


def _maybe_pair(line: str) -> tuple[str, str] | None:
    """Return name and value of `name: value`, `name = value`, `- name: value`; names may be quoted, bold or code."""
    if line.startswith(("- ", "* ")):
        line = line[2:].lstrip()
    quoted = next((mark for mark in ("**", "`", "'", '"') if line.startswith(mark)), "")
    if quoted:
        end = line.find(quoted, len(quoted))
        if end < 0:
            return None
        name, rest = line[len(quoted) : end], line[end + len(quoted) :].lstrip()
    else:
        end = min((at for at in (line.find(":"), line.find("=")) if at >= 0), default=-1)
        if end < 0:
            return None
        name, rest = line[:end].rstrip(), line[end:]
    if not name or len(name) > MAX_NAME or any(mark in name for mark in "#|{}[](),"):
        return None
    if not rest.startswith((":", "=")):
        return None
    if rest[0] == ":" and len(rest) > 1 and not rest[1].isspace():  # a URL or a time
        return None
    return name, rest[1:].strip()


_WORDS: dict[str, Any] = {
    "true": True, "false": False, "null": None, "~": None, "none": None, "": None,
    "nan": float("nan"), ".nan": float("nan"), "inf": float("inf"), ".inf": float("inf"), "+inf": float("inf"),
    "-inf": float("-inf"), "-.inf": float("-inf"), "infinity": float("inf"), "-infinity": float("-inf"),
}  # fmt: skip
_WHOLE = re.compile(r"^[-+]?\d{1,18}$")
_REAL = re.compile(r"^[-+]?(\d[\d_]*(\.\d*)?|\.\d+)([eE][-+]?\d{1,4})?$")

_REMARK = re.compile(r"\s*(?:#|\Z)")


def _scalar(text: str) -> Any:
    """Parse one value in the notation of YAML or Python."""
    text = text.strip()
    quoted = _maybe_quoted(text)
    if quoted is not None:
        return quoted
    if not text.startswith(("[", "{", "(")):
        remark = min((at for at in (text.find(" #"), text.find("\t#")) if at >= 0), default=len(text))
        text = text[:remark].rstrip().rstrip(",")
    if len(text) <= MAX_NUMBER:
        low = text.lower()
        if low in _WORDS:
            return _WORDS[low]
        if _WHOLE.match(text):
            return int(text)
        if _REAL.match(text) and not text.endswith("_"):
            return float(text.replace("_", ""))
    if text.startswith("{") and len(text) < MAX_LITERAL:
        try:
            found = ast.literal_eval(text)
        except _NO_LITERAL:
            return text
        return found if isinstance(found, dict) else text
    return text


def _maybe_quoted(text: str) -> str | None:
    """Return the text between the quotes of `"value"  # remark`."""
    mark = text[:1]
    end = text.find(mark, 1) if mark in ("'", '"') else -1
    while end > 0:
        if _REMARK.match(text, end + 1):
            return text[1:end].replace("''", "'") if mark == "'" else text[1:end]
        end = text.find(mark, end + 1)
    return None
