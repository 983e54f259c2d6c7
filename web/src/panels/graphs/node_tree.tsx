// The nodes of the drawing as a tree, for screen readers and users who prefer lists. Opening a namespace here opens it
// in the graph.

import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import * as graphsWords from "../../state/texts/graphs";
import { grouped, spoken, view } from "../../state/view";
import { Icon } from "../../widgets/icons";
import { type ListHandle, VirtualList } from "../../widgets/virtual_list";
import { LEAF, LIBRARY } from "./model/hierarchy";
import { CAN_OPEN, OPEN, type Scene } from "./model/scene";
import { goTo, setOpen, shown } from "./session";

const ROW_PX = 26;

type Row = {
  readonly path: string;
  readonly label: string;
  readonly note: string;
  readonly depth: number;
  readonly canOpen: boolean;
  readonly isOpen: boolean;
  readonly type: number;
};

/** Returns the rows: boxes, each followed by its dots. */
export function rowsOf(scene: Scene): readonly Row[] {
  const dots = new Map<number, number[]>();
  scene.dotBox.forEach((box, dot) => {
    dots.set(box, [...(dots.get(box) ?? []), dot]);
  });
  return scene.path.flatMap((path, i) => {
    const flags = scene.flags[i] ?? 0;
    const depth = scene.depth[i] ?? 0;
    const row: Row = {
      path,
      label: path.slice(path.lastIndexOf("/") + 1),
      note: scene.type[i] === LEAF ? (scene.note[i] ?? "") : grouped(scene.leaves[i] ?? 0),
      depth,
      canOpen: (flags & CAN_OPEN) !== 0,
      isOpen: (flags & OPEN) !== 0,
      type: scene.type[i] ?? LEAF,
    };
    const own = (dots.get(i) ?? []).map((dot): Row => {
      const dotPath = scene.dotPath[dot] ?? "";
      const label = dotPath.slice(dotPath.lastIndexOf("/") + 1);
      return { path: dotPath, label, note: "", depth: depth + 1, canOpen: false, isOpen: false, type: LEAF };
    });
    return [row, ...own];
  });
}

function parentOf(rows: readonly Row[], index: number): number {
  const depth = rows[index]?.depth ?? 0;
  let at = index - 1;
  while (at >= 0 && (rows[at]?.depth ?? 0) >= depth) at -= 1;
  return at;
}

export function NodeTree(): JSX.Element | null {
  const words = spoken(graphsWords);
  const scene = shown.value?.scene;
  const rows = useMemo(() => (scene === undefined ? [] : rowsOf(scene)), [scene]);
  const list = useRef<ListHandle | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const chosen = view.value.graphsNode;
  const at = rows.findIndex(({ path }) => path === chosen);
  useEffect(() => {
    if (at >= 0) list.current?.scrollToIndex(at);
  }, [at]);
  const focusRow = (to: number): void => {
    const row = rows[to];
    if (row === undefined) return;
    void goTo(row.path);
    list.current?.scrollToIndex(to);
    const focus = (): void => place.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
    setTimeout(focus, 60);
  };
  if (scene === undefined) return null;
  return (
    <div class="graph-tree" ref={place} data-testid="graph-tree">
      <VirtualList
        items={rows}
        rowHeightPx={ROW_PX}
        label={words.treeLabel}
        role="tree"
        keyOf={({ path }, i) => `${i} ${path}`}
        handle={(handle) => {
          list.current = handle;
        }}
      >
        {(row, index) => (
          <TreeRow
            row={row}
            chosen={row.path === chosen}
            entry={row.path === chosen || (at < 0 && index === 0)}
            onKey={(event) => {
              if (!onKey(event.key, rows, index, focusRow)) return;
              event.preventDefault();
              event.stopPropagation();
            }}
          />
        )}
      </VirtualList>
    </div>
  );
}

/** Handles the usual keys of a tree; returns false for other keys. */
function onKey(key: string, rows: readonly Row[], index: number, focusRow: (to: number) => void): boolean {
  const row = rows[index];
  if (row === undefined) return false;
  switch (key) {
    case "ArrowDown":
      focusRow(index + 1);
      return true;
    case "ArrowUp":
      focusRow(index - 1);
      return true;
    case "ArrowRight":
      if (row.canOpen && !row.isOpen) setOpen(row.path, true);
      else if (row.isOpen) focusRow(index + 1);
      return true;
    case "ArrowLeft":
      if (row.isOpen) setOpen(row.path, false);
      else focusRow(parentOf(rows, index));
      return true;
    case "Enter":
      if (row.canOpen) setOpen(row.path, !row.isOpen);
      return row.canOpen;
    default:
      return false;
  }
}

type TreeRowProps = {
  readonly row: Row;
  readonly chosen: boolean;
  /** This row is the one that Tab focuses. */
  readonly entry: boolean;
  readonly onKey: (event: KeyboardEvent) => void;
};

function TreeRow({ row, chosen, entry, onKey }: TreeRowProps): JSX.Element {
  const words = spoken(graphsWords);
  return (
    <div
      class="graph-tree__row"
      role="treeitem"
      aria-level={row.depth + 1}
      aria-expanded={row.canOpen ? row.isOpen : undefined}
      aria-selected={chosen}
      tabIndex={entry ? 0 : -1}
      title={row.path}
      style={{ paddingLeft: `${8 + Math.min(12, row.depth) * 14}px` }}
      onClick={() => void goTo(row.path)}
      onDblClick={() => row.canOpen && setOpen(row.path, !row.isOpen)}
      onKeyDown={onKey}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys are those of the row */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the row itself says whether it is open */}
      <span
        class={row.isOpen ? "graph-tree__sign graph-tree__sign--open" : "graph-tree__sign"}
        onClick={(event) => {
          if (!row.canOpen) return;
          event.stopPropagation();
          setOpen(row.path, !row.isOpen);
        }}
      >
        {row.canOpen && <Icon name="right" />}
      </span>
      <span class="graph-tree__label">{row.type === LIBRARY ? words.library : row.label}</span>
      <span class="graph-tree__note">{row.note}</span>
    </div>
  );
}
