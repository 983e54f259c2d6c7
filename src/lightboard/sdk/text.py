"""Texts (Markdown), and whole pages of HTML."""

from __future__ import annotations

from typing import Any

from lightboard.sdk import summary_messages

HTML_PLUGIN = "lightboard_html"
_SUFFIX = "/text_summary"  # as in PyTorch's writer
_BLOB = 3  # data class


def value(tag: str, content: Any) -> bytes:
    """Summary.Value of a text."""
    tensor = summary_messages.string_tensor([_encoded(content)], [1])
    return summary_messages.tensor_value(tag + _SUFFIX, tensor, summary_messages.metadata("text"))


def html_value(tag: str, content: Any) -> bytes:
    """Summary.Value of HTML: a string, or an object with an HTML representation for notebooks."""
    page = getattr(content, "_repr_html_", None)
    if page is not None and not isinstance(content, (str, bytes)):
        content = page()
    tensor = summary_messages.string_tensor([_encoded(content)], [1])
    return summary_messages.tensor_value(tag, tensor, summary_messages.metadata(HTML_PLUGIN, data_class=_BLOB))


def _encoded(content: Any) -> bytes:
    if isinstance(content, bytes):
        return content
    if not isinstance(content, str):
        raise TypeError(f"a text is a string, not {type(content).__name__}")
    return content.encode("utf-8", "surrogatepass")
