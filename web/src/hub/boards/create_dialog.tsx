// The dialog that creates a board. It looks at the address as the user types; a full quota opens the dialog that stops
// another board and tries again.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { tell } from "../../state/toasts";
import { Button } from "../../widgets/button";
import { Dialog } from "../../widgets/dialog";
import { Select } from "../../widgets/select";
import { TextField } from "../../widgets/text_field";
import { createBoard, type NewBoard } from "../api/boards";
import { HubError } from "../api/client";
import type { Source, Times, Visibility } from "../api/types";
import { reasonOf } from "../explained";
import { spoken } from "../preferences";
import { address, changeQuery, go } from "../router";
import * as area from "../texts/create";
import * as shellArea from "../texts/shell";
import { TimesFields, VisibilityField } from "./board_fields";
import { isLimit, limitReached } from "./commands";
import "./create_dialog.css";
import { creators } from "../creators";
import { cleanSources, durationWord, NO_SOURCE, proposedName, randomKey, TIME_MEMBERS } from "./drafts";
import { SourceFields } from "./source_fields";

const INHERITED: Times = { idle_after: null, reclaim_after: null, max_runtime: null };

function close(): void {
  changeQuery({ create: "", uri: "" });
}

/** Which field an error is about. */
const NAME_CODES: ReadonlySet<string> = new Set(["InvalidName", "NameConflict"]);

export function CreateDialog(): JSX.Element {
  const words = spoken(area);
  const { query } = address.peek();
  // a link may propose an address: #/boards?create=1&uri=s3://…
  const sources = useSignal<readonly Source[]>([{ ...NO_SOURCE, uri: query.uri ?? "" }]);
  const name = useSignal("");
  const workspace = useSignal(firstWorkspace(query.workspace ?? ""));
  const visibility = useSignal<Visibility>("private");
  const confirmed = useSignal(false);
  const times = useSignal<Times>(INHERITED);
  const busy = useSignal(false);
  const tried = useSignal(false);
  const error = useSignal<unknown>(null);
  const sent = useRef({ key: "", text: "" });
  const clean = cleanSources(sources.value);
  const proposed = proposedName(clean[0]?.uri ?? "");
  const unconfirmed = visibility.value === "public" && !confirmed.value;

  const send = async (): Promise<void> => {
    const board: NewBoard = {
      name: name.value.trim() || proposed,
      sources: clean,
      workspace: workspace.value,
      visibility: visibility.value,
      ...(visibility.value === "public" ? { confirm_public: true } : {}),
      ...Object.fromEntries(
        TIME_MEMBERS.flatMap((member) => {
          const seconds = times.value[member];
          return seconds === null ? [] : [[member, durationWord(seconds)]];
        }),
      ),
    };
    const text = JSON.stringify(board);
    // the same request after a lost connection has the same key, so that it creates one board
    if (sent.current.text !== text) sent.current = { key: randomKey(), text };
    const created = await createBoard(board, sent.current.key);
    tell(words.created(created.name));
    // the back button leads to the list, not to this dialog
    close();
    go(["boards", created.id]);
  };
  const submit = async (): Promise<void> => {
    tried.value = true;
    if (busy.value || clean.length === 0 || unconfirmed) return;
    busy.value = true;
    error.value = null;
    try {
      await send();
    } catch (failure) {
      if (!(failure instanceof HubError && failure.status === 0)) sent.current = { key: "", text: "" };
      if (isLimit(failure)) limitReached.value = { error: failure, retry: send };
      else error.value = failure;
    }
    busy.value = false;
  };
  const ofName = error.value instanceof HubError && NAME_CODES.has(error.value.code);
  return (
    <Dialog
      title={words.title}
      testId="create-dialog"
      onClose={close}
      actions={
        <>
          {error.value !== null && !ofName && <Refusal error={error.value} />}
          {tried.value && unconfirmed && (
            <span class="create__error" role="alert">
              {words.needsConfirmation}
            </span>
          )}
          <Button label={spoken(shellArea).cancel} title={spoken(shellArea).cancel} onClick={close} />
          <Button
            label={busy.value ? words.creating : words.create}
            title={words.create}
            kind="primary"
            disabled={busy.value}
            testId="create-submit"
            onClick={() => void submit()}
          />
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a key of the fields inside */}
      <div
        class="create"
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void submit();
        }}
      >
        <SourceFields
          workspace={workspace.value}
          sources={sources.value}
          autoFocus
          {...(tried.value && clean.length === 0 ? { missing: words.needsUri } : {})}
          onEnter={() => void submit()}
          onChange={(next) => {
            sources.value = next;
          }}
        />
        <div class="create__pair">
          <TextField
            label={words.name}
            value={name.value}
            placeholder={proposed}
            invalid={ofName}
            hint={ofName ? reasonOf(error.value) : undefined}
            testId="board-name"
            onInput={(text) => {
              name.value = text;
            }}
            onEnter={() => void submit()}
          />
          <Select
            label={words.workspace}
            value={workspace.value}
            options={creators.value.map(({ id, name: shown }) => ({ value: id, label: shown || id }))}
            testId="board-workspace"
            onChange={(id) => {
              workspace.value = id;
              sources.value = sources.value.map((source) => ({ ...source, secret: "" }));
            }}
          />
        </div>
        <VisibilityField
          value={visibility.value}
          confirmed={confirmed.value}
          onChange={(value) => {
            visibility.value = value;
            confirmed.value = false;
          }}
          onConfirm={(value) => {
            confirmed.value = value;
          }}
        />
        <details class="create__times">
          <summary>{words.times}</summary>
          <p class="field__hint">{words.timesHint}</p>
          <TimesFields
            value={times.value}
            workspace={workspace.value}
            onChange={(value) => {
              times.value = value;
            }}
          />
        </details>
      </div>
    </Dialog>
  );
}

/** The workspace of the filter if the user may create boards there, or the own one. */
function firstWorkspace(filtered: string): string {
  const all = creators.peek();
  return (all.find(({ id }) => id === filtered) ?? all[0])?.id ?? "";
}

function Refusal({ error }: { readonly error: unknown }): JSX.Element {
  return (
    <span class="create__error" role="alert" data-testid="create-error">
      {reasonOf(error)}
    </span>
  );
}
