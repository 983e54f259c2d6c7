// The selection (by search, click or box), its neighbors, and actions on it.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { formatNumber } from "../../base/numbers";
import { PROJECTOR_DISTANCES } from "../../state/members/projector";
import { allColumns, embedding, embeddingKey, labelColumn, searchColumn, wantRows } from "../../state/projector";
import { cellText, editCount } from "../../state/projector_edits";
import { only, onlyPart, onlyProblem, showAll } from "../../state/projector_only";
import {
  clearSelection,
  found,
  isolate,
  marked,
  neighbors,
  neighborsProblem,
  point,
  searching,
  searchProblem,
  selected,
  selectPoint,
} from "../../state/projector_selection";
import * as projectorWords from "../../state/texts/projector";
import { tell } from "../../state/toasts";
import { changeView, grouped, spoken, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { Choice } from "../../widgets/choice";
import { FilterBox } from "../../widgets/filter_box";
import { Icon } from "../../widgets/icons";
import { Select } from "../../widgets/select";
import { Slider } from "../../widgets/slider";
import { VirtualList } from "../../widgets/virtual_list";
import { EditDialog } from "./edit_dialog";
import { nameOf } from "./hover_tip";
import { SpriteImage } from "./sprite_image";

// nobody reads a longer list, and browsers cannot lay it out
const MOST_LISTED = 100_000;
const ROW_PX = 28;
const PICTURE_ROW_PX = 40;

export function Inspector(): JSX.Element {
  const words = spoken(projectorWords);
  return (
    <section class="projector-pane projector-inspector" aria-label={words.inspector} data-testid="projector-inspector">
      <h2>{words.inspector}</h2>
      <Actions />
      <Search />
      {point.value >= 0 ? <Neighbors /> : <Results />}
    </section>
  );
}

function Actions(): JSX.Element {
  const words = spoken(projectorWords);
  const count = marked.value.length;
  const problem = onlyProblem.value;
  return (
    <>
      {problem !== null && (
        <div class="projector-problem" role="alert" data-testid="projector-only-problem">
          <Icon name="warning" />
          <div>
            <strong>{words.onlyFailed}</strong>
            <p>{problem.message}</p>
          </div>
        </div>
      )}
      {onlyPart.value && <p class="projector-pane__hint">{words.onlyPart}</p>}
      <div class="projector-inspector__state" role="status" data-testid="projector-selected">
        {count === 0 ? words.selectHint : words.selected(grouped(selected.value.length))}
        {editCount.value > 0 && <span>{words.edited(grouped(editCount.value))}</span>}
      </div>
      <div class="projector-inspector__actions">
        {(only.value !== null || problem !== null) && (
          <Button
            label={words.showAll(grouped(embedding.value?.rows ?? 0))}
            title={words.showAll(grouped(embedding.value?.rows ?? 0))}
            icon="eye"
            testId="projector-show-all"
            onClick={showAll}
          />
        )}
        {count > 0 && <SelectionActions count={count} />}
      </div>
    </>
  );
}

function SelectionActions({ count }: { readonly count: number }): JSX.Element {
  const words = spoken(projectorWords);
  const editing = useSignal(false);
  return (
    <>
      {count !== only.value?.length && (
        <Button
          label={words.isolate(grouped(count))}
          title={words.isolateHint}
          testId="projector-isolate"
          onClick={() => {
            if (!isolate()) tell(words.notInLink);
          }}
        />
      )}
      <Button
        icon="edit"
        title={words.editSelected}
        testId="projector-edit"
        onClick={() => {
          editing.value = true;
        }}
      />
      <Button icon="close" title={words.clear} testId="projector-clear" onClick={clearSelection} />
      {editing.value && (
        <EditDialog
          onClose={() => {
            editing.value = false;
          }}
        />
      )}
    </>
  );
}

function Search(): JSX.Element | null {
  const words = spoken(projectorWords);
  const columns = allColumns.value;
  const text = view.value.projectorSearch;
  const problem = searchProblem.value;
  if (columns.length === 0) return null;
  return (
    <div class="projector-inspector__search">
      <FilterBox
        label={`${words.search}: ${words.searchHint}`}
        placeholder={words.search}
        value={text}
        onChange={(next) => changeView({ projectorSearch: next, projectorPoint: -1, projectorSelected: "" })}
        error={problem === null ? null : { message: problem.message, hint: problem.hint, position: null }}
        count={text === "" || found.value === null ? undefined : grouped(found.value.length)}
        testId="projector-search"
      />
      {columns.length > 1 && (
        <Select
          label={words.searchBy}
          bare
          value={searchColumn.value}
          options={columns.map((name) => ({ value: name, label: name }))}
          testId="projector-search-by"
          onChange={(name) => changeView({ projectorSearchBy: name === labelColumn.peek() ? "" : name })}
        />
      )}
    </div>
  );
}

/** Lists the selected or found rows, or all rows. */
function Results(): JSX.Element | null {
  const words = spoken(projectorWords);
  const text = view.value.projectorSearch;
  const chosen = selected.value;
  const total = embedding.value?.rows ?? 0;
  const shown = only.value;
  const narrowed = text !== "" || chosen.length > 0;
  const rows = useMemo<ArrayLike<number>>(() => {
    if (narrowed) return chosen;
    return shown ?? { length: total };
  }, [narrowed, chosen, shown, total]);
  const items = useMemo(
    () => Array.from({ length: Math.min(rows.length, MOST_LISTED) }, (_, at) => rows[at] ?? at),
    [rows],
  );
  const all = shown === null ? words.allRows : words.shownRows;
  if (text !== "" && searching.value && found.value === null) {
    return <p class="projector-pane__hint">{words.searching}</p>;
  }
  if (searchProblem.value !== null) return null;
  if (narrowed && rows.length === 0) {
    return (
      <div class="projector-inspector__none" role="status" data-testid="projector-nothing">
        <strong>{words.nothingFound}</strong>
        <span>{words.nothingFoundHint(searchColumn.value)}</span>
      </div>
    );
  }
  return (
    <>
      <h3>
        {narrowed ? (text !== "" ? words.foundCount(grouped(rows.length)) : words.selected(grouped(rows.length))) : all}
      </h3>
      {rows.length > MOST_LISTED && <p class="projector-pane__hint">{words.firstOf(grouped(MOST_LISTED))}</p>}
      <RowList rows={items} label={narrowed ? words.results : all} />
    </>
  );
}

function Neighbors(): JSX.Element {
  const words = spoken(projectorWords);
  const { projectorCount, projectorDistance } = view.value;
  const near = neighbors.value;
  const problem = neighborsProblem.value;
  return (
    <>
      <PointCard row={point.value} />
      <div class="projector-pane__row">
        <h3>{words.nearest}</h3>
        <Choice
          label={words.distance}
          value={projectorDistance}
          options={PROJECTOR_DISTANCES.map((value) => ({ value, label: words.distances[value] }))}
          testId="projector-distance"
          onChoose={(value) => changeView({ projectorDistance: value })}
        />
      </div>
      <div title={words.nearestCount}>
        <Slider
          label={words.nearestCount}
          bare
          value={projectorCount}
          min={5}
          max={999}
          step={1}
          numberField={{ max: 999, step: 1 }}
          testId="projector-count"
          onInput={(value) => changeView({ projectorCount: Math.round(value) })}
        />
      </div>
      {problem !== null ? (
        <div class="projector-problem" role="alert">
          <Icon name="warning" />
          <div>
            <strong>{words.neighborsFailed}</strong>
            <p>{problem.message}</p>
          </div>
        </div>
      ) : near === null ? (
        <p class="projector-pane__hint">{words.searching}</p>
      ) : (
        <RowList rows={near.rows} distances={near.distances} label={words.nearest} />
      )}
    </>
  );
}

/** All metadata cells of the point whose neighbors are shown. */
function PointCard({ row }: { readonly row: number }): JSX.Element {
  const words = spoken(projectorWords);
  const label = labelColumn.value;
  const others = allColumns.value.filter((name) => name !== label);
  useEffect(() => wantRows([row]), [row, embeddingKey.value]);
  return (
    <div class="projector-point" data-testid="projector-point" data-row={row}>
      <SpriteImage row={row} sizePx={48} />
      <div class="projector-point__text">
        <strong dir="auto">{nameOf(row, label)}</strong>
        {/* focusable, so that keys can scroll a long list of cells */}
        <dl tabIndex={0} aria-label={words.cells}>
          {others.map((name) => (
            <div key={name}>
              <dt title={name}>{name}</dt>
              <dd dir="auto">{cellText(row, name) ?? "…"}</dd>
            </div>
          ))}
          {label !== "" && (
            <div>
              <dt>{words.rowNumber}</dt>
              <dd>{grouped(row)}</dd>
            </div>
          )}
        </dl>
      </div>
    </div>
  );
}

type ListProperties = {
  readonly rows: readonly number[];
  readonly distances?: readonly number[];
  readonly label: string;
};

function RowList({ rows, distances, label }: ListProperties): JSX.Element {
  const pictures = (embedding.value?.sprite ?? null) !== null;
  const farthest = Math.max(1e-12, ...(distances ?? []).slice(0, 1000));
  return (
    <div class="projector-list" data-testid="projector-list" data-count={rows.length}>
      <VirtualList
        items={rows}
        rowHeightPx={pictures ? PICTURE_ROW_PX : ROW_PX}
        label={label}
        keyOf={(_, at) => String(at)}
      >
        {(row, at) => (
          <Row row={row} distance={distances?.[at]} share={(distances?.[at] ?? 0) / farthest} pictures={pictures} />
        )}
      </VirtualList>
    </div>
  );
}

type RowProperties = {
  readonly row: number;
  readonly distance: number | undefined;
  readonly share: number;
  readonly pictures: boolean;
};

function Row({ row, distance, share, pictures }: RowProperties): JSX.Element {
  const column = labelColumn.value;
  useEffect(() => wantRows([row]), [row, embeddingKey.value]);
  return (
    <button type="button" class="projector-row" data-row={row} onClick={() => selectPoint(row)}>
      {pictures && <SpriteImage row={row} sizePx={32} />}
      <span class="projector-row__name" dir="auto">
        {nameOf(row, column)}
      </span>
      {distance !== undefined && (
        <>
          <span class="projector-row__distance">{formatNumber(distance, 3)}</span>
          <span class="projector-row__bar" style={{ width: `${100 * share}%` }} />
        </>
      )}
    </button>
  );
}
