"""The log directories of the benchmarks: their names, shapes and paths.

<dir>/<name>-<runs>x<tags>x<steps>/logs/<run>/events.out.tfevents...    the input of both boards
<dir>/<name>-.../truth.npz                                              the expected result (see `truth`)
<dir>/<name>-.../complete                                               written last; if missing, make it again
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

Encoding = Literal["simple", "tensor", "histogram", "image"]

SCALAR_TAGS = (
    "train/loss", "train/accuracy", "train/perplexity", "train/learning_rate", "train/grad_norm",
    "train/throughput/samples_per_second", "eval/loss", "eval/accuracy", "eval/perplexity", "eval/f1",
    "layers/0/attention/entropy", "layers/0/mlp/activation_mean", "layers/0/mlp/activation_std",
    "layers/1/attention/entropy", "layers/1/mlp/activation_mean", "layers/1/mlp/activation_std",
    "system/gpu/0/utilization", "system/gpu/0/memory_gb", "system/cpu/percent", "epoch",
)  # fmt: skip


@dataclass(frozen=True)
class Corpus:
    """One log directory: `runs` runs, each with `tags` tags of `steps` points."""

    name: str
    encoding: Encoding
    runs: int
    tags: int
    steps: int
    spikes: int = 0

    @property
    def points(self) -> int:
        return self.runs * self.tags * self.steps

    @property
    def directory_name(self) -> str:
        return f"{self.name}-{self.runs}x{self.tags}x{self.steps}"

    def run_name(self, index: int) -> str:
        return f"run_{index:0{max(3, len(str(self.runs - 1)))}d}"

    def run_names(self) -> list[str]:
        return [self.run_name(index) for index in range(self.runs)]

    def tag_names(self) -> list[str]:
        if self.encoding == "histogram":
            return [f"weights/layer_{index:02d}/kernel" for index in range(self.tags)]
        if self.encoding == "image":
            return [f"samples/class_{index}" for index in range(self.tags)]
        if self.tags > len(SCALAR_TAGS):
            return [f"layer_{index // 100:04d}/metric_{index % 100:02d}" for index in range(self.tags)]
        return list(SCALAR_TAGS[: self.tags])

    def logdir(self, root: Path) -> Path:
        return root / self.directory_name / "logs"

    def truth_file(self, root: Path) -> Path:
        return root / self.directory_name / "truth.npz"


WIDE_SIMPLE = Corpus("wide_simple", "simple", 100, 20, 5_000, spikes=200)
WIDE_TENSOR = Corpus("wide_tensor", "tensor", 100, 20, 5_000, spikes=200)
LONG = Corpus("long", "simple", 1, 10, 1_000_000, spikes=200)
HUGE = Corpus("huge", "simple", 100, 20, 50_000)
RUNS_10K = Corpus("runs_10k", "simple", 10_000, 5, 20)
RUNS_100K = Corpus("runs_100k", "simple", 100_000, 5, 20)
MILLION = Corpus("million", "simple", 10, 20, 5_000)
THOUSAND = Corpus("thousand", "simple", 1_000, 1, 1_000)
TAGS_100K = Corpus("tags_100k", "simple", 2, 100_000, 3)
HISTOGRAMS = Corpus("histograms", "histogram", 10, 50, 200)
IMAGES = Corpus("images", "image", 5, 10, 200)

ALL = (WIDE_SIMPLE, WIDE_TENSOR, LONG, HUGE, RUNS_10K, RUNS_100K, MILLION, THOUSAND, TAGS_100K, HISTOGRAMS, IMAGES)


def scaled(corpus: Corpus, scale: float) -> Corpus:
    """Return a smaller corpus of the same shape: fewer runs or tags if it has many of them, else fewer steps."""
    if corpus == TAGS_100K:
        return replace(corpus, tags=max(len(SCALAR_TAGS) + 1, round(corpus.tags * scale)))
    if corpus in (RUNS_10K, RUNS_100K):
        return replace(corpus, runs=max(2, round(corpus.runs * scale)))
    return replace(corpus, steps=max(4, round(corpus.steps * scale)))
