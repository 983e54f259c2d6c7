// One row of a list: a row with columns, or a card in narrow windows. What a row shows is the list's (ListLook).

import type { ComponentChildren, JSX } from "preact";
import { Checkbox } from "../../widgets/checkbox";
import type { MenuItem } from "../../widgets/menu";
import { isPlainClick } from "../../widgets/plain_click";
import { spoken } from "../preferences";
import { go, link } from "../router";
import * as area from "../texts/lists";
import type { Column, ListColumns } from "./list_columns";
import { Middle } from "./middle";
import type { Thing } from "./row_list";

/** Width of the first cell, which has the checkbox. */
export const SELECT_PX = 40;

export type Anchor = HTMLElement | { readonly xPx: number; readonly yPx: number };

/** What a list shows of its things, and what can be done with one. */
export type ListLook<T extends Thing> = {
  readonly testId: string;
  readonly label: string;
  readonly columns: ListColumns;
  readonly columnWord: (id: string) => string;
  readonly cells: Readonly<Record<string, (thing: T) => ComponentChildren>>;
  /** Buttons at the end of a row, without the menu's. */
  readonly tools: (thing: T) => ComponentChildren;
  readonly toolsPx: number;
  /** The lines of a card below its name. */
  readonly card: (thing: T) => ComponentChildren;
  readonly cardPx: number;
  readonly nameOf: (thing: T) => string;
  /** The page of a thing. */
  readonly path: (thing: T) => readonly string[];
  /** What O opens in a new tab; null: nothing. */
  readonly address: (thing: T) => string | null;
  readonly menu: (thing: T) => readonly MenuItem[];
  readonly data: (thing: T) => Readonly<Record<`data-${string}`, string>>;
  readonly firstSort: string;
};

type Place = { readonly row: number; readonly topPx: number; readonly widthPx: number; readonly active: boolean };

export type RowProperties<T extends Thing> = {
  readonly thing: T;
  readonly look: ListLook<T>;
  readonly columns: readonly Column[];
  readonly widths: ReadonlyMap<string, number>;
  readonly selected: boolean;
  readonly onFocus: () => void;
  /** `range`: up to here from the row that was selected before. */
  readonly onSelect: (range: boolean) => void;
  readonly onMenu: (anchor: Anchor) => void;
  readonly menuButton: ComponentChildren;
};

/**
 * The element of a row, positioned in the table. It is the same element before and after its thing is loaded, so that it
 * keeps the focus.
 */
export function ListRow<T extends Thing>(
  properties: Place & { readonly shown: RowProperties<T> | null; readonly card: boolean },
): JSX.Element {
  const { row, topPx, widthPx, active, shown, card } = properties;
  const look = card ? "list-row--card" : "list-row--table";
  return (
    // biome-ignore lint/a11y/useSemanticElements: not in a table element
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the table
    <div
      class={`virtual-table__row list-row ${look}`}
      role="row"
      aria-rowindex={row + 2}
      aria-selected={shown?.selected}
      aria-label={shown?.look.nameOf(shown.thing)}
      aria-busy={shown === null ? true : undefined}
      tabIndex={active ? 0 : -1}
      {...(shown === null ? {} : shown.look.data(shown.thing))}
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

/** A click beside links and buttons shows the thing; with Shift or Ctrl it selects. */
function clickRow<T extends Thing>(event: MouseEvent, { thing, look, onSelect }: RowProperties<T>): void {
  if (event.target instanceof Element && event.target.closest("a, button, input, label") !== null) return;
  if (event.shiftKey || event.ctrlKey || event.metaKey) onSelect(event.shiftKey);
  else if (isPlainClick(event) && getSelection()?.isCollapsed !== false) go(look.path(thing));
}

/** In place of a thing that is not loaded yet. */
function Bone(): JSX.Element {
  return (
    // biome-ignore lint/a11y/useSemanticElements: not in a table element
    // biome-ignore lint/a11y/useFocusableInteractive: the row takes the focus
    <div class="list-row__bone" role="gridcell" />
  );
}

function TableCells<T extends Thing>(properties: RowProperties<T>): JSX.Element {
  const { thing, look, columns, widths } = properties;
  return (
    <div class="virtual-table__cells">
      <Cell name="select" widthPx={SELECT_PX}>
        <SelectBox {...properties} />
      </Cell>
      {columns.map(({ id, widthPx }) => (
        <Cell key={id} name={id} widthPx={widths.get(id) ?? widthPx}>
          {look.cells[id]?.(thing)}
        </Cell>
      ))}
      <Cell name="tools" widthPx={look.toolsPx}>
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
      class={`list-row__cell list-row__cell--${properties.name}`}
      role="gridcell"
      data-cell={properties.name}
      style={{ width: `${properties.widthPx}px` }}
    >
      {properties.children}
    </div>
  );
}

function CardCells<T extends Thing>(properties: RowProperties<T>): JSX.Element {
  const { thing, look } = properties;
  return (
    // biome-ignore lint/a11y/useSemanticElements: not in a table element
    // biome-ignore lint/a11y/useFocusableInteractive: the row takes the focus
    <div class="list-card" role="gridcell">
      <div class="list-card__line">
        <SelectBox {...properties} />
        <NameLink look={look} thing={thing} />
        <Tools {...properties} />
      </div>
      {look.card(thing)}
    </div>
  );
}

function Tools<T extends Thing>({ look, thing, menuButton }: RowProperties<T>): JSX.Element {
  return (
    <span class="list-row__tools">
      {look.tools(thing)}
      {menuButton}
    </span>
  );
}

function SelectBox<T extends Thing>({ look, thing, selected, onSelect }: RowProperties<T>): JSX.Element {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: catches Shift of the click on the checkbox inside
    // biome-ignore lint/a11y/useKeyWithClickEvents: the checkbox has keys
    <span
      class="list-row__select"
      onClick={(event) => {
        if (!event.shiftKey) return;
        event.preventDefault();
        onSelect(true);
      }}
    >
      <Checkbox
        label={spoken(area).select(look.nameOf(thing))}
        bare
        checked={selected}
        testId={`select-${thing.id}`}
        onChange={() => onSelect(false)}
      />
    </span>
  );
}

/** The name of a thing; a link to its page. */
export function NameLink<T extends Thing>({
  look,
  thing,
}: {
  readonly look: Pick<ListLook<T>, "nameOf" | "path">;
  readonly thing: T;
}): JSX.Element {
  const name = look.nameOf(thing);
  return (
    <a class="list-row__name" href={link(look.path(thing))} title={name} aria-label={name} tabIndex={-1}>
      <Middle text={name} />
    </a>
  );
}
