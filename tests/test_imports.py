"""Who may import whom. Data goes one way, from files to pixels; this table is that sentence as a test.

Every module under src/lightboard is parsed, not imported, so an arrow hidden inside a function counts too. Only `cli`
may draw any arrow, and only inside a function (or for the type checker): `lightboard --help` must not load a server.

A second part runs `import lightboard` in a fresh interpreter and looks at what it loaded. Left out on purpose: how long
the import takes (`make bench` measures it).
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import pathlib
import re
import subprocess
import sys
from collections.abc import Iterable

import pytest

import lightboard
from lightboard.query import kinds

ARCHITECTURE = pathlib.Path(__file__).resolve().parent.parent / "ARCHITECTURE.md"
PACKAGE = pathlib.Path(__file__).resolve().parent.parent / "src" / "lightboard"

EVERYTHING = frozenset({"*"})

# Room → rooms it may import. A room is a package or module directly under src/lightboard; its own modules are free.
# "__init__" is what `from lightboard import SummaryWriter` finds; it may be imported for names such as __version__.
MAY_IMPORT: dict[str, frozenset[str]] = {
    "types": frozenset(),
    "errors": frozenset(),
    "error_codes": frozenset(),
    "no_links": frozenset(),
    "wire": frozenset({"errors"}),
    # files that are not event files, as a table
    "sources": frozenset(),
    "head_start": frozenset({"_native", "sources"}),
    "kernels": frozenset({"_native"}),
    "graph_bytes": frozenset({"_native"}),
    # the table of colors of runs
    "colors": frozenset(),
    "store": frozenset({"colors", "types", "errors"}),
    # object stores and web servers, for reading and for writing
    "storage": frozenset({"types", "errors"}),
    "activity": frozenset(),
    "logdir": frozenset(
        {"_native", "store", "storage", "activity", "sources", "head_start", "no_links", "types", "errors"}
    ),
    "projection": frozenset({"_native"}),
    # decoders that know no store
    "formats": frozenset({"kernels", "graph_bytes", "projection", "wire", "types", "errors"}),
    "query": frozenset(
        {"store", "sources", "colors", "formats", "kernels", "graph_bytes", "projection", "wire", "types", "errors"}
    ),
    "sidecar": frozenset({"store", "storage", "no_links", "types", "errors"}),
    # layouts under way and uploads of one board
    "work": frozenset({"query", "formats", "store", "projection", "types", "errors"}),
    "server": frozenset({"activity", "query", "formats", "work", "sidecar", "types", "errors"}),
    "rpc": frozenset({"query", "types", "errors"}),
    "plugins": frozenset({"query", "server", "types", "errors"}),
    "sdk": frozenset({"_native", "storage", "wire", "types", "errors"}),
    # public faces of the sdk
    "summary": frozenset({"sdk", "wire", "types", "errors"}),
    "hparams": frozenset({"sdk", "types", "errors"}),
    "as_tensorboard": frozenset({"sdk", "notebook", "wire", "types", "errors"}),
    "integrations": frozenset({"sdk", "summary", "types", "errors"}),
    # sample logs of every kind, byte by byte, old forms included that the sdk does not write; sample people of a hub
    "demo": frozenset({"_native", "sdk", "wire", "client", "types", "errors"}),
    "board": frozenset(
        {
            "activity",
            "head_start",
            "logdir",
            "store",
            "query",
            "work",
            "sidecar",
            "server",
            "snapshot",
            "rpc",
            "plugins",
            "types",
            "errors",
        }
    ),
    # lightboard.open(): a board without a server
    "reading": frozenset({"board", "logdir", "storage", "store", "query", "formats", "picture", "types", "errors"}),
    # a board as one HTML file: asks the server's routes and packs the built page
    "snapshot": frozenset({"store", "query", "server", "types", "errors"}),
    # which boards run; a board as a still picture
    "instances": frozenset({"types", "errors"}),
    "picture": frozenset({"colors", "types", "errors"}),
    "notebook": frozenset({"client", "instances", "picture", "server", "types", "errors"}),
    # what users import as lightboard.hub: HTTP only
    "client": frozenset({"sources", "errors"}),
    # `lightboard run`
    "jobs": frozenset({"client", "sdk", "errors"}),
    "hub": frozenset(
        {
            "board",
            "instances",
            "server",
            "logdir",
            "storage",
            "sources",
            "client",
            "notebook",
            # points that clients send become event files, which are read again to be exported
            "_native",
            "wire",
            "reading",
            "types",
            "errors",
        }
    ),
    "operator": frozenset({"hub", "types", "errors"}),
    "cli": EVERYTHING,
    "__main__": frozenset({"cli", "head_start"}),
    "__init__": EVERYTHING,
}

# Arrows that are wrong and known, each with the reason it is still there: (module, imported room).
DEBTS: frozenset[tuple[str, str]] = frozenset()

# In query/ and server/ a module or folder is named for its kind. Kinds do not import each other, across rooms neither.
# Beside the kinds in event files there are those in files of their own.
KINDS = frozenset(row.word for row in kinds.TABLE) | {"projector", "profile", "debugger"}
# Modules that belong to a kind under another name.
KIND_OF_MODULE = {"trials": "hparams", "scalar_tables": "scalars", "tensorboard_scalars": "scalars"}

# Arrows between kinds that are meant: (module, kind) → why.
SHARED_KINDS = {
    ("query.hparams.trial_metrics", "scalars"): "metrics of trials are scalars, gathered as charts gather them",
    ("server.hparams", "scalars"): "TensorBoard's page asks its hparams routes for the scalars of a metric",
    ("server.custom_scalars", "scalars"): "TensorBoard's custom scalars are scalars under other addresses",
    ("server.distributions", "histograms"): "distributions are another view of histograms",
}


@dataclasses.dataclass(frozen=True)
class Arrow:
    """One import: `module` (dotted, below lightboard) imports `target` (dotted, below lightboard)."""

    module: str
    target: str
    line: int
    top_level: bool

    @property
    def room(self) -> str:
        return self.module.split(".")[0]

    @property
    def target_room(self) -> str:
        return self.target.split(".")[0]

    def __str__(self) -> str:
        return f"lightboard.{self.module} line {self.line} imports lightboard.{self.target}"


def module_name(path: pathlib.Path) -> str:
    """`store/__init__.py` is "store", `store/points.py` is "store.points", the package's own is "__init__"."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    if parts[-1] == "__init__" and len(parts) > 1:
        parts = parts[:-1]
    return ".".join(parts)


def is_room(name: str) -> bool:
    return name == "_native" or (PACKAGE / name).is_dir() or (PACKAGE / f"{name}.py").is_file()


def targets_of(node: ast.Import | ast.ImportFrom, package: tuple[str, ...]) -> list[str]:
    """What an import statement reaches, as dotted names; `package` is where a relative import starts."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if node.level:
        base = [*package[: len(package) - node.level + 1], *([node.module] if node.module else [])]
    else:
        base = [node.module or ""]
    prefix = ".".join(base)
    # `from lightboard import errors` reaches lightboard.errors; `from lightboard.query import scalars` likewise
    return [f"{prefix}.{alias.name}" for alias in node.names]


def arrows_in(path: pathlib.Path) -> list[Arrow]:
    return arrows_of(module_name(path), path.read_text(encoding="utf-8"), is_package=path.name == "__init__.py")


def runs_later(block: ast.AST) -> bool:
    """True for what importing a module does not execute: functions, and imports for the type checker."""
    if isinstance(block, ast.If):
        return ast.unparse(block.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")
    return isinstance(block, ast.FunctionDef | ast.AsyncFunctionDef)


def arrows_of(module: str, source: str, *, is_package: bool = False) -> list[Arrow]:
    tree = ast.parse(source)
    deferred = {id(node) for block in ast.walk(tree) if runs_later(block) for node in ast.walk(block)}
    own = ("lightboard",) if module == "__init__" else ("lightboard", *module.split("."))
    package = own if is_package else own[:-1]
    arrows = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        for target in targets_of(node, package):
            head, _, rest = target.partition(".")
            if head == "lightboard":
                inner = rest if rest and is_room(rest.split(".")[0]) else "__init__"
                arrows.append(Arrow(module, inner, node.lineno, id(node) not in deferred))
    return arrows


@functools.cache
def all_arrows() -> tuple[Arrow, ...]:
    return tuple(arrow for path in sorted(PACKAGE.rglob("*.py")) for arrow in arrows_in(path))


def is_allowed(arrow: Arrow) -> bool:
    if arrow.target_room in (arrow.room, "__init__") or (arrow.module, arrow.target_room) in DEBTS:
        return True
    allowed = MAY_IMPORT[arrow.room]
    return allowed == EVERYTHING or arrow.target_room in allowed


def kind_of(dotted: str) -> str | None:
    """The kind a module or folder of query/ or server/ is named for; all of `query.hparams.…` counts as hparams."""
    room, _, rest = dotted.partition(".")
    name = rest.partition(".")[0]
    word = KIND_OF_MODULE.get(name, name)
    return word if room in ("query", "server") and word in KINDS else None


def crosses_kinds(arrow: Arrow) -> bool:
    from_kind, to_kind = kind_of(arrow.module), kind_of(arrow.target)
    return None not in (from_kind, to_kind) and from_kind != to_kind


def test_every_room_has_a_line_in_the_table() -> None:
    rooms = {module_name(path).split(".")[0] for path in PACKAGE.rglob("*.py")}
    assert rooms <= MAY_IMPORT.keys()


def test_imports_follow_the_table() -> None:
    assert [str(arrow) for arrow in all_arrows() if not is_allowed(arrow)] == []


def test_the_table_in_the_architecture_says_the_same() -> None:
    """`types` and `errors` are free to all there, and rooms that do not exist yet are left out."""
    rows = re.findall(r"^\| `(\w+)(?:/|\.py)` \|.*\| ([\w, ]+) \|$", ARCHITECTURE.read_text(encoding="utf-8"), re.M)
    told = {room: set(allowed.split(", ")) for room, allowed in rows if room in MAY_IMPORT and room != "cli"}
    assert {"store", "query", "server", "board"} <= told.keys()
    free = {"types", "errors"}
    assert {room: allowed - free for room, allowed in told.items()} == {
        room: {name for name in MAY_IMPORT[room] - free if is_room(name)} for room in told
    }


def test_native_is_imported_only_where_bytes_are_read_or_written() -> None:
    users = {arrow.room for arrow in all_arrows() if arrow.target_room == "_native"}
    # cli: for `doctor`; hub: points that clients send become records
    assert users <= {"head_start", "logdir", "sdk", "kernels", "graph_bytes", "projection", "demo", "cli", "hub"}


def test_kinds_do_not_import_each_other() -> None:
    crossing = [arrow for arrow in all_arrows() if crosses_kinds(arrow)]
    assert [str(each) for each in crossing if (each.module, kind_of(each.target)) not in SHARED_KINDS] == []
    unused = SHARED_KINDS.keys() - {(each.module, kind_of(each.target)) for each in crossing}
    assert unused == set()


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("query.scalars.scalars", "from lightboard.query.hparams import experiments"),
        ("query.scalars.scalars", "from lightboard.query import hparams"),
        ("query.html", "from lightboard.query import video"),
        ("query.graphs.nodes", "from lightboard.query.tensors import describe"),
        ("server.tables", "def f() -> None:\n    from lightboard.query import plotly\n"),
        ("server.trials", "from lightboard.server import scalar_tables"),
    ],
)
def test_an_arrow_between_kinds_is_noticed(module: str, source: str) -> None:
    assert [crosses_kinds(arrow) for arrow in arrows_of(module, source)] == [True]


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("query.hparams.groups", "from lightboard.query.hparams import trials"),
        ("query.scalars.scalars", "from lightboard.query.runs import hparams"),
        ("server.trials", "from lightboard.query.hparams import trials"),
        ("query.images", "from lightboard.query import blobs"),
    ],
)
def test_what_kinds_share_may_be_imported(module: str, source: str) -> None:
    assert [crosses_kinds(arrow) for arrow in arrows_of(module, source)] == [False]


def circles(arrows: Iterable[Arrow], modules: set[str]) -> set[str]:
    """Modules that reach themselves through their imports, those inside functions included."""
    reached: dict[str, set[str]] = {module: set() for module in modules}
    for arrow in arrows:
        target = next((name for name in (arrow.target, arrow.target.rpartition(".")[0]) if name in modules), None)
        if arrow.module in modules and target is not None and target != arrow.module:
            reached[arrow.module].add(target)
    while True:
        wider = {module: names.union(*(reached[name] for name in names)) for module, names in reached.items()}
        if wider == reached:
            return {module for module, names in reached.items() if module in names}
        reached = wider


@pytest.mark.parametrize("room", ["store", "formats", "query", "server", "sidecar", "sdk"])
def test_modules_of_a_room_do_not_import_in_circles(room: str) -> None:
    modules = {module_name(path) for path in (PACKAGE / room).rglob("*.py")}
    assert circles(all_arrows(), modules) == set()


def test_a_circle_is_noticed() -> None:
    arrows = arrows_of("query.runs.runs", "def f() -> None:\n    from lightboard.query.runs import table\n")
    arrows += arrows_of(
        "query.runs.table", "from lightboard.query.runs import states\nfrom lightboard.query import tags"
    )
    modules = {"query.tags", "query.runs.runs", "query.runs.table", "query.runs.states"}
    assert circles(arrows, modules) == set()
    arrows += arrows_of("query.runs.states", "from lightboard.query.runs.runs import STATES")
    assert circles(arrows, modules) == {"query.runs.runs", "query.runs.table", "query.runs.states"}


def test_cli_and_package_import_other_rooms_only_when_needed() -> None:
    """At the top of a cli module only what costs nothing may be imported."""
    cheap = {"types", "errors", "cli", "__init__"}
    eager = [
        arrow for arrow in all_arrows() if arrow.room == "cli" and arrow.top_level and arrow.target_room not in cheap
    ]
    assert [str(arrow) for arrow in eager] == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("store.store", "from lightboard import query"),
        ("store.store", "from lightboard.logdir import scan"),
        ("store.store", "from ..query import runs"),
        ("query.scalars", "import lightboard._native"),
        ("query.scalars", "def f() -> None:\n    from lightboard import logdir\n"),
        ("query.projector.methods", "from lightboard.work import layouts"),
        ("server.app", "from lightboard import store"),
        ("sdk.writer", "from lightboard import store"),
    ],
)
def test_a_forbidden_arrow_is_noticed(module: str, source: str) -> None:
    assert [arrow for arrow in arrows_of(module, source) if not is_allowed(arrow)] != []


def modules_loaded_by(statement: str) -> set[str]:
    program = f"import sys; {statement}; print('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_a_starting_board_does_not_import_masked_arrays(tmp_path: pathlib.Path) -> None:
    """`np.unique` of one argument imports numpy.ma, which takes longer than the answer."""
    with lightboard.SummaryWriter(tmp_path / "run") as writer:
        writer.add_scalar("loss", 1.0, 0)
    (tmp_path / "run" / "hparams.yaml").write_text("lr: 0.1\n")
    spec = f"logdir.parse_spec({str(tmp_path)!r}, is_spec=False)"
    loaded = modules_loaded_by(
        f"from lightboard import board, logdir; from lightboard.query import board as query; "
        f"one = board.Board({spec}, board.Options(index=False)); one.load(); assert query.summary(one.store).version"
    )
    assert "numpy" in loaded
    assert "numpy.ma" not in loaded


SERVING = {"lightboard.server", "lightboard.store", "lightboard.query", "lightboard.logdir", "lightboard.board"}


@pytest.mark.parametrize("statement", ["import lightboard", "import lightboard.cli"])
def test_import_loads_no_server(statement: str) -> None:
    loaded = modules_loaded_by(statement)
    assert "lightboard" in loaded
    assert loaded & (SERVING | {"uvicorn", "asyncio", "anyio", "numpy", "pandas", "polars", "pyarrow"}) == set()


CLIENT = {
    "accounts", "addresses", "boards", "connections", "credentials", "hub", "hub_errors", "jobs", "requests", "uploads",
    "values",
}  # fmt: skip


def test_the_client_of_a_hub_loads_the_standard_library_and_itself() -> None:
    """Neither the server's packages nor any other of ours."""
    before = modules_loaded_by("import lightboard.hub")
    assert {name for name in before if name.startswith("lightboard")} == {"lightboard", "lightboard.hub"}
    loaded = modules_loaded_by("import lightboard.hub; lightboard.hub.Hub, lightboard.hub.TensorBoard")
    ours = {name for name in loaded if name.startswith("lightboard")}
    rooms = {f"lightboard.client.{name}" for name in CLIENT | {"pai", "tensorboard"}}
    assert ours == rooms | {"lightboard", "lightboard.hub", "lightboard.client", "lightboard.errors"}
    outside = {name.partition(".")[0] for name in loaded - modules_loaded_by("pass")}
    assert outside - set(sys.stdlib_module_names) == {"lightboard"}
    assert "asyncio" not in loaded


def test_reading_loads_no_server() -> None:
    loaded = modules_loaded_by("import lightboard.reading")
    assert loaded & {"lightboard.server", "uvicorn", "asyncio", "anyio", "pandas", "polars", "pyarrow"} == set()
