// One board in the list: the cells of its row, the lines of its card, its buttons.

import type { ComponentChildren, JSX } from "preact";
import { Button } from "../../widgets/button";
import { Icon } from "../../widgets/icons";
import type { Board } from "../api/types";
import { workspaceName } from "../creators";
import { type ListLook, NameLink } from "../parts/list_row";
import { agoText, dateText, grouped, isoText, spoken, untilText } from "../preferences";
import { link } from "../router";
import * as area from "../texts/boards";
import { COLUMNS, type ColumnId, TOOLS_PX } from "./columns";
import { canOpen, canStart, canStop, menuItems, type OnBoard, startBoard, stopBoard } from "./commands";
import { ACTIVE, Status } from "./status";

const NAMES = {
  nameOf: ({ name }: Board) => name,
  path: ({ id }: Board) => ["boards", id],
};

export function boardLook(onBoard: OnBoard): ListLook<Board> {
  const words = spoken(area);
  return {
    ...NAMES,
    testId: "boards",
    label: words.table,
    columns: COLUMNS,
    columnWord: (id) => words.column[id as ColumnId],
    cells: CELLS,
    tools: (board) => <Tools board={board} onBoard={onBoard} />,
    toolsPx: TOOLS_PX,
    card: (board) => <CardLines board={board} />,
    cardPx: 102,
    address: (board) => (canOpen(board) ? board.url : null),
    menu: (board) => menuItems(board, onBoard),
    data: ({ id, state }) => ({ "data-board": id, "data-state": state }),
    firstSort: "-created",
  };
}

function CardLines({ board }: { readonly board: Board }): JSX.Element {
  const words = spoken(area);
  const pauses = pausesText(board);
  return (
    <>
      <div class="list-card__line">
        <Status board={board} />
        {pauses !== "" && (
          <span class="list-card__quiet">
            {words.column.pauses} {pauses}
          </span>
        )}
      </div>
      <div class="list-card__line list-card__quiet">
        <SourcesCell board={board} />
        <span class="list-card__end" title={words.column.last_activity}>
          {agoText(board.last_activity)}
        </span>
      </div>
    </>
  );
}

// ---- cells

const CELLS: Readonly<Record<ColumnId, (board: Board) => ComponentChildren>> = {
  state: (board) => <Status board={board} />,
  name: (board) => <NameLink look={NAMES} thing={board} />,
  type: ({ type }) => spoken(area).type[type] ?? type,
  sources: (board) => <SourcesCell board={board} />,
  workspace: ({ workspace }) => (
    <a class="list-row__link" href={link(["workspaces", workspace])}>
      {workspaceName(workspace)}
    </a>
  ),
  owner: ({ owner }) => owner,
  created: ({ created }) => <span title={isoText(created)}>{dateText(created)}</span>,
  last_activity: ({ last_activity }) => <span title={isoText(last_activity)}>{agoText(last_activity)}</span>,
  pauses: (board) => <span title={pausesHint(board)}>{pausesText(board)}</span>,
  visibility: ({ visibility }) => spoken(area).visibility[visibility],
  id: ({ id }) => <code>{id}</code>,
};

function SourcesCell({ board }: { readonly board: Board }): JSX.Element {
  const words = spoken(area);
  const { sources, problems } = board;
  const all = sources.map(({ uri, prefix }) => (prefix === "" ? uri : `${prefix}: ${uri}`)).join("\n");
  return (
    <span class="list-row__sources" title={all}>
      {problems.length > 0 && (
        <span class="list-row__problem" title={problems.map(({ uri, message }) => `${uri}: ${message}`).join("\n")}>
          <Icon name="warning" />
          <span class="aside-text">{words.sourceProblems(grouped(problems.length), problems.length !== 1)}</span>
        </span>
      )}
      <span class="list-row__uri">
        <bdi>{sources[0]?.uri ?? ""}</bdi>
      </span>
      {sources.length > 1 && <span class="list-row__more">{words.moreSources(grouped(sources.length - 1))}</span>}
    </span>
  );
}

/** The nearest time at which the board is stopped without a command; null: never. */
export function pausesAt({ reclaim_at, runtime_ends_at }: Board): string | null {
  const times = [reclaim_at, runtime_ends_at].filter((time): time is string => time !== null);
  return times.sort((one, other) => Date.parse(one) - Date.parse(other))[0] ?? null;
}

/** "3 h 12 min" for a board that runs. */
export function pausesText(board: Board): string {
  if (board.state !== "Running" && board.state !== "Idle") return "";
  const at = pausesAt(board);
  return at === null ? spoken(area).never : (untilText(at) ?? "…");
}

export function pausesHint(board: Board): string | undefined {
  const words = spoken(area);
  const { idle_at, reclaim_at, runtime_ends_at, keep_alive_until } = board;
  const lines = [
    keep_alive_until === null ? "" : words.keptUntil(dateText(keep_alive_until)),
    idle_at === null || board.state === "Idle" ? "" : words.idleAt(dateText(idle_at)),
    reclaim_at === null ? "" : words.reclaimAt(dateText(reclaim_at)),
    runtime_ends_at === null ? "" : words.runtimeEnds(dateText(runtime_ends_at)),
  ].filter((line) => line !== "");
  return lines.length === 0 ? undefined : lines.join("\n");
}

export type ToolsProperties = { readonly board: Board; readonly onBoard: OnBoard };

export function Tools({ board, onBoard }: ToolsProperties): JSX.Element {
  const words = spoken(area);
  return (
    <>
      {canOpen(board) && <OpenLink board={board} />}
      {canStart(board) && (
        <Button
          icon="play"
          kind="quiet"
          title={`${words.resume}: ${board.name}`}
          testId={`start-${board.id}`}
          onClick={() => void startBoard(board, onBoard)}
        />
      )}
      {canStop(board) && (
        <Button
          icon="stop"
          kind="quiet"
          title={`${words.stop}: ${board.name}`}
          testId={`stop-${board.id}`}
          onClick={() => void stopBoard(board, onBoard)}
        />
      )}
    </>
  );
}

export function OpenLink({ board, full = false }: { readonly board: Board; readonly full?: boolean }): JSX.Element {
  const words = spoken(area);
  const title = ACTIVE.has(board.state) ? words.openTitle(board.name) : words.wakeTitle(board.name);
  const look = full ? "button button--primary" : "button button--quiet button--icon";
  return (
    <a
      class={look}
      href={board.url}
      target="_blank"
      rel="noopener"
      title={title}
      aria-label={full ? undefined : title}
      data-testid={`open-${board.id}`}
    >
      <Icon name="open" />
      {full && <span class="button__label">{words.open}</span>}
    </a>
  );
}
