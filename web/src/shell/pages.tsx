// Selects the current page, or the message shown instead.

import { computed } from "@preact/signals";
import type { ComponentType, JSX } from "preact";
import { TimeseriesPanel } from "../panels/timeseries/timeseries_panel";
import { board, kinds, kindsKnown, problem, progress, runs } from "../state/board";
import { passingRuns } from "../state/run_filter";
import { texts, view } from "../state/view";
import { Button } from "../widgets/button";
import { copyText } from "../widgets/clipboard";
import { ErrorBoundary } from "../widgets/error_boundary";
import { type LazyPart, lazy } from "../widgets/lazy";
import { KindList } from "./kind_list";
import { hasData, KINDS } from "./kinds";
import { Notice } from "./notice";
import { situationOf } from "./situation";
import { StatePage } from "./states";

const PAGES: Readonly<Record<string, LazyPart>> = {
  runs: lazy(() => import("../panels/runs/runs_page").then((module) => module.RunsPage)),
  run: lazy(() => import("../panels/runs/run_page").then((module) => module.RunPage)),
  compare: lazy(() => import("../panels/runs/compare_page").then((module) => module.ComparePage)),
};

const PANELS: Readonly<Record<string, LazyPart>> = Object.fromEntries(
  KINDS.flatMap(({ page, panel }) => (panel === undefined ? [] : [[page, lazy(panel)]])),
);

const OTHERS = Object.fromEntries(KINDS.flatMap(({ kind, cards }) => (cards === undefined ? [] : [[kind, cards]])));

function Timeseries(): JSX.Element {
  return <TimeseriesPanel others={OTHERS} />;
}

/** Loads the code of the current page in parallel with the first request to the board. */
export function fetchPageAhead(): void {
  const { page } = view.peek();
  (PAGES[page] ?? PANELS[page])?.fetchAhead();
}

/** The plain list is the page of a kind without data or without a panel. */
function pageOf(page: string): ComponentType {
  if (page === "timeseries") return Timeseries;
  const panel = hasData(page) ? PANELS[page] : undefined;
  return PAGES[page] ?? panel ?? KindList;
}

const tagCounts = computed(() =>
  kindsKnown.value
    ? Object.fromEntries(Object.entries(kinds.value).map(([kind, { tag }]) => [kind, tag.length]))
    : null,
);

export const situation = computed(() =>
  situationOf({
    board: board.value,
    problem: problem.value,
    progress: progress.value,
    runs: runs.value === null ? null : runs.value.name.length,
    passing: passingRuns.value.length,
    filtered: view.value.runFilter !== "",
    tags: tagCounts.value,
    page: view.value.page,
    others: view.value.timeseriesKinds !== "scalars",
  }),
);

export function CurrentPage(): JSX.Element {
  const now = situation.value;
  const { page, of } = view.value;
  // an incomplete filter matches nothing: keep the page below with its charts and scroll position
  const covered = now.kind === "no match";
  if (now.kind !== "ready" && !covered) return <StatePage situation={now} />;
  const Page = pageOf(page);
  return (
    <>
      <div class="shell__page" inert={covered}>
        <ErrorBoundary
          key={`${page} ${of.join()}`}
          fallback={(error, retry) => <BrokenPage error={error} onRetry={retry} />}
        >
          <Page />
        </ErrorBoundary>
      </div>
      {covered && (
        <div class="shell__cover">
          <StatePage situation={now} />
        </div>
      )}
    </>
  );
}

export function BrokenPage({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }): JSX.Element {
  const words = texts.value.shell.failed;
  const details = error.stack ?? error.message;
  return (
    <Notice title={words.partTitle} icon="warning" tone="bad" state="broken">
      <p>{words.part}</p>
      <div class="notice__actions">
        <Button label={words.retry} kind="primary" title={words.retry} onClick={onRetry} />
        <Button label={words.reload} title={words.reload} onClick={() => location.reload()} />
        <Button
          label={words.copyDetails}
          icon="copy"
          title={words.copyDetails}
          onClick={() => void copyText(details)}
        />
      </div>
      <details>
        <summary>{words.details}</summary>
        <pre>{details}</pre>
      </details>
    </Notice>
  );
}
