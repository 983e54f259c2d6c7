// One board in the list: a row with its columns, or a card in narrow windows.

import type { ComponentChildren, JSX } from "preact";
import { Button } from "../../widgets/button";
import { Checkbox } from "../../widgets/checkbox";
import { Icon } from "../../widgets/icons";
import { isPlainClick } from "../../widgets/plain_click";
import type { Board } from "../api/types";
import { agoText, dateText, grouped, isoText, spoken, untilText } from "../preferences";
import { go, link } from "../router";
import * as area from "../texts/boards";
import { type Column, type ColumnId, SELECT_PX, TOOLS_PX } from "./columns";
import { canOpen, canStart, canStop, type OnBoard, startBoard, stopBoard } from "./commands";
import { workspaceName } from "./creators";
import { ACTIVE, Status } from "./status";

type Place = { readonly row: number; readonly topPx: number; readonly widthPx: number; readonly active: boolean };

export type RowProperties = {
  readonly board: Board;
  readonly columns: readonly Column[];
  readonly widths: ReadonlyMap<ColumnId, number>;
  readonly selected: boolean;
  readonly onFocus: () => void;
  /** `range`: up to here from the board that was selected before. */
  readonly onSelect: (range: boolean) => void;
  readonly onBoard: OnBoard;
  readonly onMenu: (anchor: HTMLElement | { readonly xPx: number; readonly yPx: number }) => void;
};

/**
 * The element of a row, positioned in the table. It is the same element before and after its board is loaded, so that it
 * keeps the focus.
 */
export function TableRow(
  properties: Place & { readonly board: RowProperties | null; readonly card: boolean },
): JSX.Element {
  const { row, topPx, widthPx, active, board: shown, card } = properties;
  const look = card ? "board-row--card" : "board-row--table";
  return (
    // biome-ignore lint/a11y/useSemanticElements: not in a table element
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the table
    <div
      class={`virtual-table__row board-row ${look}`}
      role="row"
      aria-rowindex={row + 2}
      aria-selected={shown?.selected}
      aria-label={shown?.board.name}
      aria-busy={shown === null ? true : undefined}
      tabIndex={active ? 0 : -1}
      data-board={shown?.board.id}
      data-state={shown?.board.state}
      style={{ transform: `translateY(${topPx}px)`, width: `${widthPx}px` }}
      onFocus={() => shown?.onFocus()}
      onClick={(event) => {
        if (shown !== null) clickRow(event, shown);
      }}
      onContextMenu={(event) => {
        if (shown === null || (event.target instanceof Element && event.target.closest("a") !== null)) return;
        event.preventDefault();
        shown.onMenu({ xPx: event.clientX, yPx: event.clientY });
      }}
    >
      {shown === null ? <Bone /> : card ? <CardCells {...shown} /> : <TableCells {...shown} />}
    </div>
  );
}

/** A click beside links and buttons shows the board; with Shift or Ctrl it selects. */
function clickRow(event: MouseEvent, { board, onSelect }: RowProperties): void {
  if (event.target instanceof Element && event.target.closest("a, button, input, label") !== null) return;
  if (event.shiftKey || event.ctrlKey || event.metaKey) onSelect(event.shiftKey);
  else if (isPlainClick(event) && getSelection()?.isCollapsed !== false) go(["boards", board.id]);
}

/** In place of a board that is not loaded yet. */
function Bone(): JSX.Element {
  return (
    // biome-ignore lint/a11y/useSemanticElements: not in a table element
    // biome-ignore lint/a11y/useFocusableInteractive: the row takes the focus
    <div class="board-row__bone" role="gridcell" />
  );
}

function TableCells(properties: RowProperties): JSX.Element {
  const { board, columns, widths } = properties;
  return (
    <div class="virtual-table__cells">
      <Cell name="select" widthPx={SELECT_PX}>
        <SelectBox {...properties} />
      </Cell>
      {columns.map(({ id, widthPx }) => (
        <Cell key={id} name={id} widthPx={widths.get(id) ?? widthPx}>
          {CELLS[id](board)}
        </Cell>
      ))}
      <Cell name="tools" widthPx={TOOLS_PX}>
        <Tools {...properties} />
      </Cell>
    </div>
  );
}

function Cell(properties: {
  readonly name: string;
  readonly widthPx: number;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    // biome-ignore lint/a11y/useSemanticElements: not in a table element
    // biome-ignore lint/a11y/useFocusableInteractive: the row takes the focus
    <div
      class={`board-row__cell board-row__cell--${properties.name}`}
      role="gridcell"
      data-cell={properties.name}
      style={{ width: `${properties.widthPx}px` }}
    >
      {properties.children}
    </div>
  );
}

function CardCells(properties: RowProperties): JSX.Element {
  const words = spoken(area);
  const { board } = properties;
  const pauses = pausesText(board);
  return (
    // biome-ignore lint/a11y/useSemanticElements: not in a table element
    // biome-ignore lint/a11y/useFocusableInteractive: the row takes the focus
    <div class="board-card" role="gridcell">
      <div class="board-card__line">
        <SelectBox {...properties} />
        <NameLink board={board} />
        <Tools {...properties} />
      </div>
      <div class="board-card__line">
        <Status board={board} />
        {pauses !== "" && (
          <span class="board-card__quiet">
            {words.column.pauses} {pauses}
          </span>
        )}
      </div>
      <div class="board-card__line board-card__quiet">
        <SourcesCell board={board} />
        <span class="board-card__end" title={words.column.last_activity}>
          {agoText(board.last_activity)}
        </span>
      </div>
    </div>
  );
}

function SelectBox({ board, selected, onSelect }: RowProperties): JSX.Element {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: catches Shift of the click on the checkbox inside
    // biome-ignore lint/a11y/useKeyWithClickEvents: the checkbox has keys
    <span
      class="board-row__select"
      onClick={(event) => {
        if (!event.shiftKey) return;
        event.preventDefault();
        onSelect(true);
      }}
    >
      <Checkbox
        label={spoken(area).select(board.name)}
        bare
        checked={selected}
        testId={`select-${board.id}`}
        onChange={() => onSelect(false)}
      />
    </span>
  );
}

// ---- cells

const CELLS: Readonly<Record<ColumnId, (board: Board) => ComponentChildren>> = {
  state: (board) => <Status board={board} />,
  name: (board) => <NameLink board={board} />,
  type: ({ type }) => spoken(area).type[type] ?? type,
  sources: (board) => <SourcesCell board={board} />,
  workspace: ({ workspace }) => (
    <a class="board-row__link" href={link(["workspaces", workspace])}>
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

function NameLink({ board }: { readonly board: Board }): JSX.Element {
  return (
    <a class="board-row__name" href={link(["boards", board.id])} title={board.name} tabIndex={-1}>
      {board.name}
    </a>
  );
}

function SourcesCell({ board }: { readonly board: Board }): JSX.Element {
  const words = spoken(area);
  const { sources, problems } = board;
  const all = sources.map(({ uri, prefix }) => (prefix === "" ? uri : `${prefix}: ${uri}`)).join("\n");
  return (
    <span class="board-row__sources" title={all}>
      {problems.length > 0 && (
        <span class="board-row__problem" title={problems.map(({ uri, message }) => `${uri}: ${message}`).join("\n")}>
          <Icon name="warning" />
          <span class="aside-text">{words.sourceProblems(grouped(problems.length), problems.length !== 1)}</span>
        </span>
      )}
      <span class="board-row__uri">
        <bdi>{sources[0]?.uri ?? ""}</bdi>
      </span>
      {sources.length > 1 && <span class="board-row__more">{words.moreSources(grouped(sources.length - 1))}</span>}
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

function Tools({ board, onBoard, onMenu }: RowProperties): JSX.Element {
  const words = spoken(area);
  return (
    <span class="board-row__tools">
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
      <Button
        icon="menu"
        kind="quiet"
        title={words.menu(board.name)}
        testId={`menu-${board.id}`}
        onClick={(event) => onMenu(event.currentTarget as HTMLElement)}
      />
    </span>
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
