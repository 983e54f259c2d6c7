"""How Sphinx builds the documentation as a site: `make docs`.

The sources are README, ARCHITECTURE and the like at the root, and docs/, in English and Chinese, in one build with one
search. MyST reads Markdown as it is, Furo is the theme; neither loads anything from another host.

The Markdown has no directives, because it is also read on sites that do not know them. What Sphinx needs is added here:
tables of contents, words of the theme in Chinese, a link to the same page in the other language.
"""

from __future__ import annotations

import pathlib
import re
import shutil
from collections.abc import Iterable
from typing import Any

from sphinx.search import en

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOP_PAGES = ("README.md", "README.zh.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")

project = "Lightboard"
version = re.findall(r'__version__ = "(.+)"', (ROOT / "src/lightboard/__init__.py").read_text(encoding="utf-8"))[0]
extensions = ["myst_parser"]
root_doc = "README"
include_patterns = [*TOP_PAGES, "CODE_OF_CONDUCT.md", "docs/**.md"]
# the source directory is the repository: nothing else is searched for pages
exclude_patterns = [each.name for each in ROOT.iterdir() if each.is_dir() and each.name != "docs"]
myst_enable_extensions = ["html_image"]
myst_heading_anchors = 4  # anchors as on the sites that show Markdown
suppress_warnings = ["myst.header"]

html_theme = "furo"
html_title = f"Lightboard {version}"
html_theme_options = {"navigation_with_keys": True}
html_show_sourcelink = False
html_copy_source = False
html_static_path = ["site.css"]
html_css_files = ["site.css"]
templates_path = ["templates"]
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "languages.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
html_search_language = "en_zh"
pygments_style = "friendly"
highlight_language = "none"

# ---- contents: caption → pages; a name that ends with * is every page that begins so

ENGLISH = {
    "Start": ["docs/tutorial/*", "docs/gallery", "docs/README"],
    "How to": ["docs/howto/*"],
    "Reference": ["docs/reference/*", "docs/glossary"],
    "Explanation": ["docs/explanation/*"],
    "Project": ["CHANGELOG", "CONTRIBUTING", "CODE_OF_CONDUCT", "SECURITY", "ARCHITECTURE", "docs/design/*"],
}
CHINESE = {
    "开始": ["README.zh", "docs/zh/tutorial/*", "docs/zh/README"],
    "操作指南": ["docs/zh/howto/*"],
}

WORDS = {
    "Search": "搜索",
    "Next": "下一页",
    "Previous": "上一页",
    "Home": "首页",
    "On this page": "本页内容",
    "Contents": "目录",
    "Back to top": "回到顶部",
    "Menu": "菜单",
    "Expand": "展开",
    "Index": "索引",
    "Made with ": "使用 ",
}


def pages_of(names: list[str]) -> list[str]:
    """Names of documents, without endings, sorted as their files are."""
    found = []
    for name in names:
        paths = sorted(ROOT.glob(f"{name}.md"))
        found += [path.relative_to(ROOT).as_posix().removesuffix(".md") for path in paths]
    return found


def add_contents(app: Any, document: str, source: list[str]) -> None:
    """Append hidden tables of contents, from which the theme makes the navigation."""
    if document != root_doc:
        return
    for caption, names in {**ENGLISH, **CHINESE}.items():
        lines = "\n".join(f"/{name}" for name in pages_of(names))
        source[0] += f"\n\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{lines}\n```\n"


# ---- languages

CJK = r"[\u3001-\u303f\u4e00-\u9fff\uff00-\uffef]"


def join_lines(app: Any, document: str, source: list[str]) -> None:
    """Join lines within a Chinese sentence: browsers would show the line break as a blank."""
    if is_chinese(document):
        source[0] = re.sub(rf"({CJK})\n *(?={CJK})", r"\1", source[0])


def is_chinese(document: str) -> bool:
    return document == "README.zh" or document.startswith("docs/zh/")


def in_other_language(document: str) -> str:
    """The same page in the other language, or the first page of that language."""
    if document in ("README", "README.zh"):
        return "README" if is_chinese(document) else "README.zh"
    other = document.replace("docs/zh/", "docs/") if is_chinese(document) else document.replace("docs/", "docs/zh/", 1)
    if (ROOT / f"{other}.md").exists():
        return other
    return "README" if is_chinese(document) else "README.zh"


def navigation(tree: str, captions: Iterable[str]) -> str:
    """The parts of the navigation, a caption and a list each, that have one of these captions."""
    parts = re.split(r'(?=<p class="caption")', tree)
    return "".join(part for part in parts if any(f">{caption}<" in part for caption in captions))


def set_language(app: Any, document: str, template: str, context: dict[str, Any], tree: Any) -> None:
    chinese = is_chinese(document)
    context["other_page"] = in_other_language(document) if tree is not None else "README.zh"
    context["other_language"] = "English" if chinese else "简体中文"
    context["furo_navigation_tree"] = navigation(context["furo_navigation_tree"], CHINESE if chinese else ENGLISH)
    if chinese:
        context["language"] = "zh-CN"
        for name in ("_", "gettext"):
            context[name] = lambda text: WORDS.get(text, text)


class EnglishAndChinese(en.SearchEnglish):
    """Splits Chinese into pairs of characters: they are found without a dictionary of words, in any query."""

    lang = "en_zh"
    language_name = "English"  # names the stemmer in the script
    js_splitter_code = """
var splitQuery = (query) =>
  (query.match(/[\\u4e00-\\u9fff]+|[\\p{Letter}\\p{Number}_]+/gu) ?? []).flatMap((run) =>
    [...run.matchAll(/[\\u4e00-\\u9fff]+|[^\\u4e00-\\u9fff]+/gu)].flatMap(([part]) =>
      /^[\\u4e00-\\u9fff]{3,}$/u.test(part)
        ? Array.from({ length: part.length - 1 }, (_, at) => part.slice(at, at + 2))
        : [part],
    ),
  );
"""

    def split(self, input: str) -> list[str]:
        found = []
        for run in re.findall(r"[\u4e00-\u9fff]+|[^\W\u4e00-\u9fff]+", input):
            if "\u4e00" <= run[0] <= "\u9fff" and len(run) > 2:
                found += [run[at : at + 2] for at in range(len(run) - 1)]
            else:
                found.append(run)
        return found


def write_first_page(app: Any, error: Exception | None) -> None:
    if error is None:
        shutil.copyfile(pathlib.Path(app.outdir) / "README.html", pathlib.Path(app.outdir) / "index.html")


def setup(app: Any) -> None:
    app.add_search_language(EnglishAndChinese)
    app.connect("source-read", add_contents)
    app.connect("source-read", join_lines)
    app.connect("html-page-context", set_language, priority=900)  # after the theme, which makes the navigation
    app.connect("build-finished", write_first_page)
