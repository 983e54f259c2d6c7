// The frame of the page: header, and below it the board or the reason why there is none.

import { effect } from "@preact/signals";
import type { JSX } from "preact";
import { connected, content, type Problem, problem, refresh } from "../state/board";
import { changeView, language, texts } from "../state/view";
import { RunList } from "./run_list";
import { TagList } from "./tag_list";

effect(() => {
  document.documentElement.lang = language.value === "zh" ? "zh-CN" : "en";
});

effect(() => {
  document.title = content.value?.board.name || "Lightboard";
});

export function App(): JSX.Element {
  return (
    <div class="page">
      <Header />
      <Body />
    </div>
  );
}

function Header(): JSX.Element {
  const board = content.value?.board;
  return (
    <header>
      <h1>{board?.name || "Lightboard"}</h1>
      <span class="logdir" title={board?.logdir}>
        {board?.logdir}
      </span>
      {board !== undefined && board.faults > 0 && <span class="faults">{texts.value.faults(board.faults)}</span>}
      <Connection />
      <button type="button" onClick={() => changeView({ language: language.value === "zh" ? "en" : "zh" })}>
        {texts.value.language}
      </button>
    </header>
  );
}

function Connection(): JSX.Element | null {
  if (connected.value === null) return null;
  return (
    <output class={connected.value ? "connection live" : "connection lost"}>
      {connected.value ? texts.value.live : texts.value.lost}
    </output>
  );
}

function Body(): JSX.Element {
  if (content.value === null) return problem.value === null ? <Loading /> : <Failure problem={problem.value} />;
  if (content.value.runs.length === 0) return content.value.board.progress.done ? <Empty /> : <Loading />;
  return (
    <main class="board">
      <RunList />
      <TagList />
    </main>
  );
}

function Loading(): JSX.Element {
  const progress = content.value?.board.progress;
  const { loading, progress: how } = texts.value;
  return (
    <main class="notice" aria-busy="true">
      <div class="spinner" />
      <p>{progress === undefined ? loading : how(progress.filesRead, progress.filesTotal)}</p>
    </main>
  );
}

const EXAMPLE = `from lightboard import SummaryWriter

with SummaryWriter("runs/first") as writer:
    for step in range(100):
        writer.add_scalar("loss", 1 / (step + 1), step)`;

function Empty(): JSX.Element {
  return (
    <main class="notice">
      <h2>{texts.value.noRuns}</h2>
      <p>{texts.value.noRunsHint}</p>
      <pre>{EXAMPLE}</pre>
    </main>
  );
}

function Failure(shown: { readonly problem: Problem }): JSX.Element {
  const { kind, reason } = shown.problem;
  return (
    <main class="notice">
      <div role="alert">
        <h2>{texts.value.failed}</h2>
        <p>{kind === "other" ? reason : texts.value[kind]}</p>
      </div>
      <button type="button" onClick={() => void refresh()}>
        {texts.value.retry}
      </button>
    </main>
  );
}
