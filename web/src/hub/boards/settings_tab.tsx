// The definition of a board: name, sources, visibility, times. What somebody else changed meanwhile is not overwritten.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { tell } from "../../state/toasts";
import { Button } from "../../widgets/button";
import { Checkbox } from "../../widgets/checkbox";
import { TextField } from "../../widgets/text_field";
import { type BoardChange, changeBoard, fetchBoard } from "../api/boards";
import { HubError } from "../api/client";
import type { Board, Source, Times, Visibility } from "../api/types";
import { reasonOf } from "../explained";
import { spoken } from "../preferences";
import * as area from "../texts/board";
import * as createArea from "../texts/create";
import { TimesFields, VisibilityField } from "./board_fields";
import type { TabProperties } from "./board_page";
import { deletion } from "./commands";
import { cleanSources, durationWord, TIME_MEMBERS } from "./drafts";
import { SourceFields } from "./source_fields";

type Draft = {
  readonly name: string;
  readonly sources: readonly Source[];
  readonly visibility: Visibility;
  readonly times: Times;
  readonly wake: boolean;
};

function draftOf({ name, sources, visibility, idle_after, reclaim_after, max_runtime, wake_on_open }: Board): Draft {
  return { name, sources, visibility, times: { idle_after, reclaim_after, max_runtime }, wake: wake_on_open };
}

/** Only what differs: a member that the user did not touch is not overwritten. */
export function changeOf(base: Draft, draft: Draft): BoardChange {
  const sources = cleanSources(draft.sources);
  const times = TIME_MEMBERS.filter((member) => base.times[member] !== draft.times[member]).map((member) => {
    const seconds = draft.times[member];
    return [member, seconds === null ? null : durationWord(seconds)] as const;
  });
  return {
    ...(draft.name.trim() === base.name ? {} : { name: draft.name.trim() }),
    ...(JSON.stringify(sources) === JSON.stringify(cleanSources(base.sources)) ? {} : { sources }),
    ...(draft.visibility === base.visibility ? {} : { visibility: draft.visibility }),
    ...(draft.visibility === "public" && base.visibility !== "public" ? { confirm_public: true } : {}),
    ...(draft.wake === base.wake ? {} : { wake_on_open: draft.wake }),
    ...Object.fromEntries(times),
  };
}

export function SettingsTab({ board, onBoard }: TabProperties): JSX.Element {
  const words = spoken(area);
  // what the user sees is edited, whatever the hub reports meanwhile
  const base = useSignal(board);
  const draft = useSignal<Draft>(draftOf(board));
  const confirmed = useSignal(false);
  const busy = useSignal(false);
  const error = useSignal<unknown>(null);
  const set = (part: Partial<Draft>): void => {
    draft.value = { ...draft.value, ...part };
  };
  const take = (fresh: Board): void => {
    base.value = fresh;
    draft.value = draftOf(fresh);
    confirmed.value = false;
    error.value = null;
  };
  const change = changeOf(draftOf(base.value), draft.value);
  const dirty = Object.keys(change).length > 0;
  const unconfirmed = change.confirm_public === true && !confirmed.value;
  const empty = cleanSources(draft.value.sources).length === 0;
  const conflict = error.value instanceof HubError && error.value.status === 412;
  const save = async (): Promise<void> => {
    if (!dirty || busy.value || unconfirmed || empty) return;
    busy.value = true;
    error.value = null;
    try {
      const saved = await changeBoard(board.id, change, base.value.generation);
      onBoard(saved);
      take(saved);
      tell(words.saved);
    } catch (failure) {
      error.value = failure;
    }
    busy.value = false;
  };
  const takeTheirs = async (): Promise<void> => {
    try {
      const fresh = await fetchBoard(board.id);
      onBoard(fresh);
      take(fresh);
    } catch (failure) {
      error.value = failure;
    }
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a key of the fields inside */}
      <section
        class="panel"
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save();
        }}
      >
        <TextField
          label={words.name}
          value={draft.value.name}
          testId="settings-name"
          onInput={(name) => set({ name })}
          onEnter={() => void save()}
        />
        <SourceFields
          workspace={board.workspace}
          sources={draft.value.sources}
          {...(empty ? { missing: spoken(createArea).needsSource } : {})}
          onEnter={() => void save()}
          onChange={(sources) => set({ sources })}
        />
        {change.sources !== undefined && <p class="panel__quiet">{words.restarts}</p>}
        <VisibilityField
          value={draft.value.visibility}
          confirmed={change.confirm_public === true ? confirmed.value : null}
          onChange={(visibility) => {
            set({ visibility });
            confirmed.value = false;
          }}
          onConfirm={(value) => {
            confirmed.value = value;
          }}
        />
        <TimesFields value={draft.value.times} workspace={board.workspace} onChange={(times) => set({ times })} />
        <Checkbox label={words.wake} checked={draft.value.wake} testId="wake" onChange={(wake) => set({ wake })} />
        {error.value !== null && (
          <div class="settings__error" role="alert">
            <span>{conflict ? words.conflict : reasonOf(error.value)}</span>
            {conflict && <Button label={words.takeTheirs} title={words.takeTheirs} onClick={() => void takeTheirs()} />}
          </div>
        )}
        <div class="panel__actions panel__actions--end">
          {dirty && <Button label={words.discard} title={words.discard} onClick={() => take(base.value)} />}
          <Button
            label={busy.value ? words.saving : words.save}
            title={words.save}
            kind="primary"
            disabled={!dirty || busy.value || unconfirmed || empty}
            testId="save"
            onClick={() => void save()}
          />
        </div>
      </section>
      {board.may.includes("delete") && (
        <section class="panel">
          <h2>{words.dangerTitle}</h2>
          <p class="panel__quiet">{words.dangerText}</p>
          <div class="panel__actions">
            <Button
              label={words.delete}
              icon="trash"
              title={words.delete}
              kind="danger"
              testId="delete"
              onClick={() => {
                deletion.value = [board];
              }}
            />
          </div>
        </section>
      )}
    </>
  );
}
