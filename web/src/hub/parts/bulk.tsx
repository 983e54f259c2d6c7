// Commands for many rows of a list: the bar above the list, the dialog that names what is meant, and what became of each.

import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { tell } from "../../state/toasts";
import { Button } from "../../widgets/button";
import { Dialog } from "../../widgets/dialog";
import { Icon } from "../../widgets/icons";
import { reasonOf } from "../explained";
import { grouped, spoken } from "../preferences";
import * as area from "../texts/lists";
import * as shellArea from "../texts/shell";
import "./bulk.css";
import type { PageQuery, RowList, Thing } from "./row_list";

type BarProperties<T extends Thing> = { readonly list: RowList<T, PageQuery>; readonly children: ComponentChildren };

/** `children` are the buttons of the commands. */
export function SelectionBar<T extends Thing>({ list, children }: BarProperties<T>): JSX.Element {
  const words = spoken(area);
  const count = list.selectedRows.value.length;
  const total = list.total.value ?? 0;
  return (
    <div class="bulk-bar" role="toolbar" aria-label={words.selected(grouped(count))} data-testid="bulk-bar">
      <span class="bulk-bar__count" role="status">
        {words.selected(grouped(count))}
      </span>
      {children}
      {count < total && list.rows.value.length <= count && (
        <Button
          label={words.selectRest(grouped(total))}
          title={words.selectRest(grouped(total))}
          kind="quiet"
          testId="select-rest"
          onClick={() => void list.wantAll().then(() => list.selectAll())}
        />
      )}
      <Button
        icon="close"
        title={words.clearSelection}
        kind="quiet"
        testId="clear-selection"
        onClick={() => list.clearSelection()}
      />
    </div>
  );
}

/** `problem` says why it failed; null: it was done. */
export type Outcome<T> = { readonly thing: T; readonly problem: string | null };

type DialogProperties<T extends Thing> = {
  readonly title: string;
  readonly text: ComponentChildren;
  readonly action: string;
  readonly danger: boolean;
  readonly label: string;
  readonly things: readonly T[];
  readonly nameOf: (thing: T) => string;
  readonly whereOf: (thing: T) => string;
  /** Below the names: what else is to be said or chosen. */
  readonly children?: ComponentChildren;
  /** Never throws. */
  readonly run: (things: readonly T[]) => Promise<readonly Outcome<T>[]>;
  readonly result: (done: string, all: string) => string;
  readonly onClose: () => void;
  /** Called when the hub has accepted at least one. */
  readonly onDone?: (() => void) | undefined;
};

const NAMED = 200;

export function BulkDialog<T extends Thing>(properties: DialogProperties<T>): JSX.Element {
  const { title, text, action, danger, label, nameOf, whereOf, run, result, onClose, onDone } = properties;
  const words = spoken(area);
  // what is meant does not change while the dialog is open
  const meant = useSignal(properties.things);
  const busy = useSignal(false);
  const failed = useSignal<readonly Outcome<T>[] | null>(null);
  const count = meant.value.length;
  const go = async (): Promise<void> => {
    if (busy.value) return;
    busy.value = true;
    const outcomes = await run(meant.value);
    const done = outcomes.filter(({ problem }) => problem === null).length;
    if (done > 0) onDone?.();
    if (done === outcomes.length) {
      tell(result(grouped(done), grouped(outcomes.length)));
      onClose();
      return;
    }
    busy.value = false;
    failed.value = outcomes;
  };
  if (failed.value !== null)
    return <Results outcomes={failed.value} nameOf={nameOf} label={label} result={result} onClose={onClose} />;
  return (
    <Dialog
      title={title}
      testId="bulk-dialog"
      onClose={onClose}
      actions={
        <>
          <Button label={spoken(shellArea).cancel} title={spoken(shellArea).cancel} onClick={onClose} />
          <Button
            label={busy.value ? words.working : action}
            title={action}
            kind={danger ? "danger" : "primary"}
            disabled={busy.value || count === 0}
            testId="bulk-confirm"
            onClick={() => void go()}
          />
        </>
      }
    >
      <div class="bulk">
        <p>{text}</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled with the arrows */}
        <ul class="bulk__names" tabIndex={0} aria-label={label}>
          {meant.value.slice(0, NAMED).map((thing) => (
            <li key={thing.id}>
              <span class="bulk__name">{nameOf(thing)}</span>
              <span class="bulk__where">{whereOf(thing)}</span>
            </li>
          ))}
          {count > NAMED && <li class="bulk__more">{words.andMore(grouped(count - NAMED))}</li>}
        </ul>
        {properties.children}
      </div>
    </Dialog>
  );
}

type ResultsProperties<T extends Thing> = Pick<DialogProperties<T>, "nameOf" | "label" | "result" | "onClose"> & {
  readonly outcomes: readonly Outcome<T>[];
};

function Results<T extends Thing>({ outcomes, nameOf, label, result, onClose }: ResultsProperties<T>): JSX.Element {
  const words = spoken(area);
  const done = outcomes.filter(({ problem }) => problem === null).length;
  const failedFirst = [...outcomes].sort((one, other) => Number(one.problem === null) - Number(other.problem === null));
  return (
    <Dialog
      title={result(grouped(done), grouped(outcomes.length))}
      testId="bulk-results"
      onClose={onClose}
      actions={<Button label={words.done} title={words.done} kind="primary" onClick={onClose} />}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled with the arrows */}
      <ul class="bulk__names bulk__names--results" tabIndex={0} aria-label={label}>
        {failedFirst.slice(0, NAMED).map(({ thing, problem }) => (
          <li key={thing.id} data-ok={problem === null}>
            <Icon name={problem === null ? "check" : "warning"} />
            <span class="bulk__name">{nameOf(thing)}</span>
            {problem !== null && <span class="bulk__why">{problem}</span>}
          </li>
        ))}
        {outcomes.length > NAMED && <li class="bulk__more">{words.andMore(grouped(outcomes.length - NAMED))}</li>}
      </ul>
    </Dialog>
  );
}

const AT_ONCE = 4;

/** Does one thing after the other, a few at the same time. */
export async function outcomesOf<T>(
  things: readonly T[],
  work: (thing: T) => Promise<unknown>,
): Promise<readonly Outcome<T>[]> {
  const outcomes: Outcome<T>[] = things.map((thing) => ({ thing, problem: "" }));
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < things.length; at = next++) {
      const thing = things[at] as T;
      outcomes[at] = await work(thing).then(
        () => ({ thing, problem: null }),
        (error: unknown) => ({ thing, problem: reasonOf(error) }),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return outcomes;
}
