"""Flags that several verbs share, and flags of TensorBoard that we do not need.

`INERT` lists the latter: they are accepted, and a message says why they have no effect.
"""

from __future__ import annotations

import argparse
import os
import sys

from lightboard import errors

INERT = {
    "load_fast": "reading is always native",
    "extra_data_server_flags": "there is no separate data server",
    "grpc_creds_type": "there is no separate data server",
    "grpc_data_provider": "data comes from a logdir, not from a gRPC server",
    "db": "data comes from event files, not from a database",
    "db_import": "data comes from event files, not from a database",
    "max_reload_threads": "all cores read",
    "reload_task": "reading never blocks the server",
    "reload_multifile": "every file of a run is followed",
    "reload_multifile_inactive_secs": "every file of a run is followed, however old",
    "generic_data": "there is one way to read data",
    "detect_file_replacement": "replaced files are always noticed",
    "whatif_use_unsafe_custom_prediction": "the What-If Tool is not part of the board",
    "whatif_data_dir": "the What-If Tool is not part of the board",
    "master_tpu_unsecure_channel": "the board does not capture profiles",
}


def add_logdir(parser: argparse.ArgumentParser, *, positional: bool = True) -> None:
    group = parser.add_argument_group("what to read")
    if positional:
        group.add_argument("path", nargs="?", metavar="PATH", help="the same as --logdir PATH")
    group.add_argument(
        "--logdir",
        metavar="PATH",
        default="",
        help="directory searched for event files, recursively; also s3://, oss://, minio://, gs://, az://, https://, "
        "pvc:// and t9k://",
    )
    group.add_argument(
        "--logdir_spec", metavar="SPEC", default="", help="several directories: name1:path1,name2:path2 or path1,path2"
    )
    group.add_argument(
        "--storage",
        metavar="FILE",
        default="",
        help="TOML file with claims, secrets and limits of stores (also: LIGHTBOARD_STORAGE in the environment)",
    )
    group.add_argument(
        "--include",
        metavar="GLOB",
        action="append",
        default=[],
        help="only runs that match, and those below them (repeatable)",
    )
    group.add_argument(
        "--exclude",
        metavar="GLOB",
        action="append",
        default=[],
        help="no runs that match, nor any below them (repeatable)",
    )
    group.add_argument(
        "--follow_links",
        choices=("never", "inside", "all"),
        default="all",
        help="symbolic links to runs and event files: none is followed, those that end below a log directory, or all "
        "(the default); other files (hparams.yaml, those of the projector) are never read outside",
    )
    group.add_argument(
        "--rewinds",
        choices=("latest", "all"),
        default=None,
        help="points that a restarted job wrote again: hide the earlier ones (latest, the default) or show all",
    )
    group.add_argument(
        "--purge_orphaned_data",
        metavar="BOOL",
        type=boolean,
        default=None,
        help="TensorBoard's flag: false means --rewinds all",
    )


def add_index(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("index (what was read, kept for the next start; deleting it is always safe)")
    group.add_argument("--index_dir", metavar="DIR", default="", help="where to store it; default: the user's cache")
    group.add_argument("--no_index", action="store_true", help="do not store an index")
    group.add_argument(
        "--index_max_bytes", metavar="SIZE", type=size, default=None, help="size cap, such as 2G or 500M"
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout, for programs")


def add_inert(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("TensorBoard flags that have no effect")
    for name, why in INERT.items():
        group.add_argument(f"--{name}", metavar="X", nargs="?", const="true", default=None, help=why)


def notices(args: argparse.Namespace) -> list[errors.Explanation]:
    """Returns one line for each given flag that has no effect."""
    inert = [name for name in INERT if getattr(args, name, None) is not None]
    return [_no_effect(name) for name in inert]


def _no_effect(name: str) -> errors.Explanation:
    message = f"`--{name}` has no effect: {INERT[name]}"
    return errors.Explanation(message, code="flag.no_effect", parameters={"flag": f"--{name}"})


def tell(lines: list[str]) -> None:
    for line in lines:
        print(f"notice: {line}", file=sys.stderr)


def one_logdir(args: argparse.Namespace) -> str:
    """Returns the value of --logdir or of the bare word; "" if only --logdir_spec is given."""
    path: str = getattr(args, "path", None) or ""
    if path and (args.logdir or args.logdir_spec):
        raise errors.BadInput(
            f"both `{path}` and `{'--logdir' if args.logdir else '--logdir_spec'}` are given",
            hint="`--logdir_spec a:path1,b:path2` reads several directories",
        )
    if args.logdir and args.logdir_spec:
        raise errors.BadInput(
            "--logdir and --logdir_spec cannot be combined", hint="put every directory into --logdir_spec"
        )
    logdir = path or str(args.logdir)
    if not logdir and not args.logdir_spec:
        raise errors.BadInput(
            "no logdir is given", hint="`lightboard --logdir PATH`, or `lightboard demo` to look around"
        )
    return os.path.expanduser(logdir)  # noqa: PTH111 (before pathlib is imported)


def rewinds(args: argparse.Namespace) -> str:
    if args.rewinds is not None:
        return str(args.rewinds)
    return "all" if args.purge_orphaned_data is False else "latest"


def boolean(text: str) -> bool:
    words = {"true": True, "t": True, "yes": True, "1": True, "false": False, "f": False, "no": False, "0": False}
    if text.lower() not in words:
        raise argparse.ArgumentTypeError(f"`{text}` is neither true nor false")
    return words[text.lower()]


def size(text: str) -> int:
    """Parses a number of bytes: 1048576, 500M, 2G, 2GiB."""
    units = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
    number, unit = text.strip(), ""
    for suffix in ("iB", "B", "b"):
        number = number.removesuffix(suffix)
    if number and number[-1].isalpha():
        number, unit = number[:-1], number[-1].upper()
    try:
        count = int(float(number) * units[unit])
    except (ValueError, KeyError, OverflowError):
        count = -1
    if count < 0:
        raise argparse.ArgumentTypeError(f"`{text}` is not a size such as 500M or 2G")
    return count


def samples(text: str) -> dict[str, int]:
    """Parses TensorBoard's `scalars=500,images=0`; 0 means all."""
    result = {}
    for part in filter(None, text.split(",")):
        name, equals, number = part.partition("=")
        if not equals or not name.strip() or not number.strip().isdecimal():
            raise argparse.ArgumentTypeError(f"`{part}` is not like scalars=500")
        result[name.strip()] = int(number)
    return result
