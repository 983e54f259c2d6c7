// Commands for many boards.

import type { JSX } from "preact";
import { Button } from "../../widgets/button";
import { BATCH_LIMIT, commandBoards } from "../api/boards";
import type { BatchResult, Board } from "../api/types";
import { workspaceName } from "../creators";
import { reasonOf, sentenceFor } from "../explained";
import { BulkDialog as Dialog, type Outcome, SelectionBar } from "../parts/bulk";
import { grouped, spoken } from "../preferences";
import * as area from "../texts/boards";
import type { BoardList } from "./board_list";
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
  return (
    <SelectionBar list={list}>
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
    </SelectionBar>
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

export function BulkDialog({ command, boards, onClose, onDone }: DialogProperties): JSX.Element {
  const words = spoken(area);
  const meant = boards.filter(POSSIBLE[command]);
  const others = boards.length - meant.length;
  return (
    <Dialog
      title={words.confirm[command](grouped(meant.length), meant.length !== 1)}
      text={words.confirmText[command]}
      action={words.bulk[command]}
      danger={command === "delete"}
      label={words.table}
      things={meant}
      nameOf={({ name }) => name}
      whereOf={({ workspace }) => workspaceName(workspace)}
      run={(things) => commanded(command, things)}
      result={words.results[command]}
      onClose={onClose}
      onDone={onDone}
    >
      {others > 0 && <p class="bulk__quiet">{words.ignored(grouped(others), others !== 1)}</p>}
    </Dialog>
  );
}

/** A request that fails as a whole is the outcome of each of its boards. */
async function commanded(command: BulkCommand, boards: readonly Board[]): Promise<readonly Outcome<Board>[]> {
  const outcomes: Outcome<Board>[] = [];
  for (let from = 0; from < boards.length; from += BATCH_LIMIT) {
    const part = boards.slice(from, from + BATCH_LIMIT);
    const ids = part.map(({ id }) => id);
    const results = await commandBoards(command, ids).then(
      ({ items }) => new Map(items.map((item) => [item.id, item])),
      (error: unknown) => reasonOf(error),
    );
    for (const thing of part) {
      const problem = typeof results === "string" ? results : problemText(results.get(thing.id));
      outcomes.push({ thing, problem });
    }
  }
  return outcomes;
}

function problemText(result: BatchResult | undefined): string | null {
  if (result?.ok === true) return null;
  const { code = "NotFound", message = "", hint = "" } = result?.problem ?? {};
  return sentenceFor(code, message, hint, { ...result?.problem }).message;
}
