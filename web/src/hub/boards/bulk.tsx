// Commands for many boards: the bar above the list, the dialog that names the boards, and what became of each.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { tell } from "../../state/toasts";
import { Button } from "../../widgets/button";
import { Dialog } from "../../widgets/dialog";
import { Icon } from "../../widgets/icons";
import { BATCH_LIMIT, commandBoards } from "../api/boards";
import type { BatchResult, Board } from "../api/types";
import { reasonOf, sentenceFor } from "../explained";
import { grouped, spoken } from "../preferences";
import * as area from "../texts/boards";
import * as listsArea from "../texts/lists";
import * as shellArea from "../texts/shell";
import type { BoardList } from "./board_list";
import "./bulk.css";
import { canDelete, canStart, canStop } from "./commands";

export type BulkCommand = "start" | "stop" | "delete";

const POSSIBLE: Readonly<Record<BulkCommand, (board: Board) => boolean>> = {
  start: canStart,
  stop: canStop,
  delete: canDelete,
};

const ICONS = { start: "play", stop: "stop", delete: "trash" } as const;

type BarProperties = { readonly list: BoardList; readonly onCommand: (command: BulkCommand) => void };

export function BulkBar({ list, onCommand }: BarProperties): JSX.Element {
  const words = spoken(area);
  const boards = list.selectedRows.value;
  const total = list.total.value ?? 0;
  return (
    <div
      class="bulk-bar"
      role="toolbar"
      aria-label={spoken(listsArea).selected(grouped(boards.length))}
      data-testid="bulk-bar"
    >
      <span class="bulk-bar__count" role="status">
        {spoken(listsArea).selected(grouped(boards.length))}
      </span>
      {(["start", "stop", "delete"] as const).map((command) => {
        const possible = boards.some(POSSIBLE[command]);
        return (
          <Button
            key={command}
            icon={ICONS[command]}
            label={words.bulk[command]}
            title={possible ? words.bulk[command] : words.bulkNone[command]}
            kind={command === "delete" ? "danger" : "plain"}
            disabled={!possible}
            testId={`bulk-${command}`}
            onClick={() => onCommand(command)}
          />
        );
      })}
      {boards.length < total && list.rows.value.length <= boards.length && (
        <Button
          label={spoken(listsArea).selectRest(grouped(total))}
          title={spoken(listsArea).selectRest(grouped(total))}
          kind="quiet"
          testId="select-rest"
          onClick={() => void list.wantAll().then(() => list.selectAll())}
        />
      )}
      <Button
        icon="close"
        title={spoken(listsArea).clearSelection}
        kind="quiet"
        testId="clear-selection"
        onClick={() => list.clearSelection()}
      />
    </div>
  );
}

type DialogProperties = {
  readonly command: BulkCommand;
  /** Those for which the command is not possible are mentioned, but not changed. */
  readonly boards: readonly Board[];
  readonly onClose: () => void;
  /** Called when the hub has accepted at least one. */
  readonly onDone?: () => void;
};

type Outcome = { readonly board: Board; readonly result: BatchResult };

const NAMED = 200;

export function BulkDialog({ command, boards, onClose, onDone }: DialogProperties): JSX.Element {
  const words = spoken(area);
  const meant = useSignal(boards.filter(POSSIBLE[command]));
  const busy = useSignal(false);
  const failed = useSignal<readonly Outcome[] | null>(null);
  const count = meant.value.length;
  const run = async (): Promise<void> => {
    if (busy.value) return;
    busy.value = true;
    const outcomes = await outcomesOf(command, meant.value);
    const bad = outcomes.filter(({ result }) => !result.ok);
    const done = outcomes.length - bad.length;
    if (done > 0) onDone?.();
    if (bad.length === 0) {
      tell(words.results[command](grouped(done), grouped(outcomes.length)));
      onClose();
      return;
    }
    busy.value = false;
    failed.value = outcomes;
  };
  if (failed.value !== null) return <Results command={command} outcomes={failed.value} onClose={onClose} />;
  const others = boards.length - count;
  return (
    <Dialog
      title={words.confirm[command](grouped(count), count !== 1)}
      testId="bulk-dialog"
      onClose={onClose}
      actions={
        <>
          <Button label={spoken(shellArea).cancel} title={spoken(shellArea).cancel} onClick={onClose} />
          <Button
            label={busy.value ? spoken(listsArea).working : words.bulk[command]}
            title={words.bulk[command]}
            kind={command === "delete" ? "danger" : "primary"}
            disabled={busy.value || count === 0}
            testId="bulk-confirm"
            onClick={() => void run()}
          />
        </>
      }
    >
      <div class="bulk">
        <p>{words.confirmText[command]}</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled with the arrows */}
        <ul class="bulk__names" tabIndex={0} aria-label={words.table}>
          {meant.value.slice(0, NAMED).map((board) => (
            <li key={board.id}>
              <span class="bulk__name">{board.name}</span>
              <span class="bulk__where">{board.workspace}</span>
            </li>
          ))}
          {count > NAMED && <li class="bulk__more">{spoken(listsArea).andMore(grouped(count - NAMED))}</li>}
        </ul>
        {others > 0 && <p class="bulk__quiet">{words.ignored(grouped(others), others !== 1)}</p>}
      </div>
    </Dialog>
  );
}

/** Never throws: a request that fails as a whole is the outcome of each of its boards. */
async function outcomesOf(command: BulkCommand, boards: readonly Board[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let from = 0; from < boards.length; from += BATCH_LIMIT) {
    const part = boards.slice(from, from + BATCH_LIMIT);
    const results = await commandBoards(
      command,
      part.map(({ id }) => id),
    ).then(
      ({ items }) => new Map(items.map((item) => [item.id, item])),
      (error: unknown) => error,
    );
    for (const board of part) outcomes.push({ board, result: resultOf(board, results) });
  }
  return outcomes;
}

function resultOf({ id }: Board, results: unknown): BatchResult {
  if (results instanceof Map) return (results.get(id) as BatchResult | undefined) ?? { id, ok: false };
  const message = reasonOf(results);
  return { id, ok: false, problem: { status: 0, code: "", title: message, message, hint: "" } };
}

type ResultsProperties = Pick<DialogProperties, "command" | "onClose"> & { readonly outcomes: readonly Outcome[] };

function Results({ command, outcomes, onClose }: ResultsProperties): JSX.Element {
  const words = spoken(area);
  const done = outcomes.filter(({ result }) => result.ok).length;
  const failedFirst = [...outcomes].sort((one, other) => Number(one.result.ok) - Number(other.result.ok));
  return (
    <Dialog
      title={words.results[command](grouped(done), grouped(outcomes.length))}
      testId="bulk-results"
      onClose={onClose}
      actions={
        <Button label={spoken(listsArea).done} title={spoken(listsArea).done} kind="primary" onClick={onClose} />
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled with the arrows */}
      <ul class="bulk__names bulk__names--results" tabIndex={0} aria-label={words.table}>
        {failedFirst.slice(0, NAMED).map(({ board, result }) => (
          <li key={board.id} data-ok={result.ok}>
            <Icon name={result.ok ? "check" : "warning"} />
            <span class="bulk__name">{board.name}</span>
            {!result.ok && <span class="bulk__why">{problemText(result)}</span>}
          </li>
        ))}
        {outcomes.length > NAMED && (
          <li class="bulk__more">{spoken(listsArea).andMore(grouped(outcomes.length - NAMED))}</li>
        )}
      </ul>
    </Dialog>
  );
}

function problemText({ problem }: BatchResult): string {
  const { code = "NotFound", message = "", hint = "" } = problem ?? {};
  return sentenceFor(code, message, hint, { ...problem }).message;
}
