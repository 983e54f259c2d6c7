// Questions before jobs are stopped or removed, and before one board over many jobs is created.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { Button } from "../../widgets/button";
import { Checkbox } from "../../widgets/checkbox";
import { Dialog } from "../../widgets/dialog";
import { Select } from "../../widgets/select";
import { TextField } from "../../widgets/text_field";
import { changeJob, type Job, makeLabelBoard, removeJob, stopJob } from "../api/jobs";
import { isLimit, limitReached } from "../boards/commands";
import { workspaceName } from "../creators";
import { reasonOf } from "../explained";
import { BulkDialog, outcomesOf } from "../parts/bulk";
import { grouped, spoken } from "../preferences";
import { go } from "../router";
import * as area from "../texts/jobs";
import * as listsArea from "../texts/lists";
import * as shellArea from "../texts/shell";
import { canRemove, canStop, question } from "./commands";
import { commonLabels, isLabel, proposedLabel } from "./labels";
import "./questions.css";

type Properties = {
  readonly jobs: readonly Job[];
  readonly onClose: () => void;
  /** Called when the hub has accepted at least one. */
  readonly onDone: () => void;
};

/** Shows the dialog of the current question. */
export function Questions({ onDone }: { readonly onDone: () => void }): JSX.Element | null {
  const asked = question.value;
  if (asked === null) return null;
  const close = (): void => {
    question.value = null;
  };
  const Part = { stop: StopDialog, remove: RemoveDialog, board: BoardDialog }[asked.kind];
  return <Part jobs={asked.jobs} onClose={close} onDone={onDone} />;
}

function StopDialog({ jobs, onClose, onDone }: Properties): JSX.Element {
  const words = spoken(area);
  const meant = jobs.filter(canStop);
  const [first] = meant;
  const one = meant.length === 1 && first !== undefined;
  const lost = meant.some(({ state }) => state === "Lost");
  return (
    <BulkDialog
      title={one ? words.stopTitle(first.name) : words.stopTitleMany(grouped(meant.length))}
      text={words.stopText(grouped(first?.stop_grace_secs ?? 15))}
      action={words.stopNow}
      danger
      label={words.table}
      things={meant}
      nameOf={({ name }) => name}
      whereOf={({ user, host }) => [user, host].filter((text) => text !== "").join(" · ")}
      run={(things) => outcomesOf(things, ({ id }) => stopJob(id))}
      result={(done, all) => (one ? words.stopping(first.name) : words.stopResults(done, all))}
      onClose={onClose}
      onDone={onDone}
    >
      {lost && <p class="bulk__quiet">{words.stopLost}</p>}
      <Ignored count={jobs.length - meant.length} />
    </BulkDialog>
  );
}

function RemoveDialog({ jobs, onClose, onDone }: Properties): JSX.Element {
  const words = spoken(area);
  const boards = useSignal(false);
  const meant = jobs.filter(canRemove);
  const [first] = meant;
  const one = meant.length === 1 && first !== undefined;
  const withBoard = meant.some(({ board, board_mode }) => board !== null && board_mode !== "label");
  return (
    <BulkDialog
      title={one ? words.removeTitle(first.name) : words.removeTitleMany(grouped(meant.length), meant.length !== 1)}
      text={words.removeText}
      action={words.removeNow}
      danger
      label={words.table}
      things={meant}
      nameOf={({ name }) => name}
      whereOf={({ workspace }) => workspaceName(workspace)}
      run={(things) => outcomesOf(things, ({ id }) => removeJob(id, boards.value ? "remove" : "keep"))}
      result={(done, all) => (one ? words.removed(first.name) : words.removeResults(done, all))}
      onClose={onClose}
      onDone={onDone}
    >
      {withBoard && (
        <div>
          <Checkbox
            label={one ? words.alsoBoard : words.alsoBoards}
            checked={boards.value}
            testId="also-board"
            onChange={(on) => {
              boards.value = on;
            }}
          />
          {!boards.value && <p class="bulk__quiet">{words.boardStays}</p>}
        </div>
      )}
      <Ignored count={jobs.length - meant.length} />
    </BulkDialog>
  );
}

function Ignored({ count }: { readonly count: number }): JSX.Element | null {
  return count > 0 ? <p class="bulk__quiet">{spoken(area).ignored(grouped(count), count !== 1)}</p> : null;
}

const NEW = "";

/** All jobs are of one workspace. */
function BoardDialog({ jobs, onClose, onDone }: Properties): JSX.Element {
  const words = spoken(area);
  const shared = commonLabels(jobs);
  const proposed = proposedLabel(jobs);
  const label = useSignal(shared[0] ?? NEW);
  const name = useSignal(proposed.name);
  const value = useSignal(proposed.value);
  const busy = useSignal(false);
  const problem = useSignal("");
  const good = label.value !== NEW || (isLabel(name.value) && isLabel(value.value));
  const text = label.value === NEW ? `${name.value.trim()}=${value.value.trim()}` : label.value;
  const work = async (): Promise<void> => {
    if (label.value === NEW) {
      const added = { [name.value.trim()]: value.value.trim() };
      const outcomes = await outcomesOf(jobs, ({ id, labels }) => changeJob(id, { labels: { ...labels, ...added } }));
      const failed = outcomes.find(({ problem }) => problem !== null);
      if (failed !== undefined) throw new Error(words.failedCommand(failed.thing.name, failed.problem ?? ""));
    }
    const { id } = await makeLabelBoard(text, jobs[0]?.workspace ?? "");
    onDone();
    onClose();
    go(["boards", id]);
  };
  const run = async (): Promise<void> => {
    busy.value = true;
    problem.value = "";
    try {
      await work();
    } catch (error) {
      if (isLimit(error)) {
        limitReached.value = { error, retry: work };
        onClose();
      } else problem.value = reasonOf(error);
    }
    busy.value = false;
  };
  const { cancel } = spoken(shellArea);
  return (
    <Dialog
      title={words.boardOverTitle(grouped(jobs.length))}
      testId="label-board"
      onClose={onClose}
      actions={
        <>
          {problem.value !== "" && (
            <span class="label-board__problem" role="alert">
              {problem.value}
            </span>
          )}
          <Button label={cancel} title={cancel} onClick={onClose} />
          <Button
            label={busy.value ? spoken(listsArea).working : words.boardOverGo}
            title={words.boardOverGo}
            kind="primary"
            disabled={busy.value || !good}
            testId="label-board-go"
            onClick={() => void run()}
          />
        </>
      }
    >
      <div class="label-board">
        <p>{words.boardOverText}</p>
        {shared.length > 0 && (
          <Select
            label={words.boardOfLabel}
            value={label.value}
            options={[...shared.map((one) => ({ value: one, label: one })), { value: NEW, label: words.newLabel }]}
            testId="label-board-label"
            onChange={(chosen) => {
              label.value = chosen;
            }}
          />
        )}
        {label.value === NEW && (
          <>
            {shared.length === 0 && <p class="bulk__quiet">{words.newLabel}</p>}
            <div class="label-board__pair">
              <TextField
                label={words.labelName}
                value={name.value}
                testId="label-board-name"
                onInput={(typed) => {
                  name.value = typed;
                }}
              />
              <TextField
                label={words.labelValue}
                value={value.value}
                autoFocus
                testId="label-board-value"
                onInput={(typed) => {
                  value.value = typed;
                }}
              />
            </div>
            {!good && <p class="bulk__quiet">{words.labelBad}</p>}
          </>
        )}
      </div>
    </Dialog>
  );
}
