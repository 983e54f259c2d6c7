// Settings of a workspace: name, description, times of unused boards, the limit of active boards, deleting it.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { tell } from "../../state/toasts";
import { Button } from "../../widgets/button";
import { changeWorkspace, deleteWorkspace, type Workspace, type WorkspaceChange } from "../api/people";
import type { Times } from "../api/types";
import { spoken } from "../preferences";
import { go } from "../router";
import { isAdmin, loadSession, me } from "../session";
import * as shared from "../texts/people";
import * as area from "../texts/workspaces";
import { Confirm } from "./confirm";
import { DurationField, limitsText } from "./duration_field";
import type { Limits } from "./durations";
import { Form, Line, Refusal, Submit, TextArea } from "./form";
import { Section } from "./frame";
import { COMMON_TIMES, LimitField } from "./limit_field";
import { mayHere } from "./rights";
import { useTask } from "./task";

type Properties = {
  readonly workspace: Workspace;
  readonly onSaved: (workspace: Workspace) => void;
};

export function WorkspaceSettings(properties: Properties): JSX.Element {
  return (
    <>
      <Settings {...properties} />
      <Deleting {...properties} />
    </>
  );
}

const TIMES = ["idle_after", "reclaim_after", "max_runtime"] as const;

function Settings({ workspace, onSaved }: Properties): JSX.Element {
  const words = spoken(area).settingsTab;
  const name = useSignal(workspace.name);
  const description = useSignal(workspace.description);
  const times = useSignal<Times>(timesOf(workspace));
  const limit = useSignal(workspace.boards_limit);
  const task = useTask();
  const change = changesOf(workspace, {
    ...times.value,
    name: name.value,
    description: description.value,
    boards_limit: limit.value,
  });
  const valid = TIMES.every((key) => !Number.isNaN(times.value[key])) && !Number.isNaN(limit.value);
  const save = (): void => {
    if (!valid) return;
    void task.run(async () => {
      onSaved(await changeWorkspace(workspace.id, change));
      tell(words.saved);
      void loadSession();
    });
  };
  const locked = !mayHere(workspace, "edit");
  return (
    <Form label={words.general} onSubmit={save} testId="workspace-settings">
      <Section title={words.general} text={locked ? words.readOnly : undefined}>
        <Line
          label={words.name}
          value={name.value}
          disabled={locked}
          onInput={(text) => {
            name.value = text;
          }}
        />
        <TextArea
          label={spoken(area).description}
          value={description.value}
          disabled={locked}
          onInput={(text) => {
            description.value = text;
          }}
        />
      </Section>
      <Section title={words.times} text={words.timesText}>
        <div class="people-settings">
          {time("idle_after", words.idleAfter, words.idleHint)}
          {time("reclaim_after", words.reclaimAfter, words.reclaimHint)}
          {time("max_runtime", words.maxRuntime, words.maxHint)}
          {isAdmin.value && (
            <LimitField
              label={words.limit}
              hint={words.limitHint}
              value={limit.value}
              onChange={(value) => {
                limit.value = value;
              }}
            />
          )}
        </div>
      </Section>
      <Refusal sentence={task.failure.value} />
      {!locked && (
        <div class="people-form__actions">
          <Submit
            label={spoken(shared).save}
            busy={task.busy.value}
            disabled={!valid || Object.keys(change).length === 0}
            testId="save-workspace"
          />
        </div>
      )}
    </Form>
  );

  function time(key: keyof Times, label: string, hint: string): JSX.Element {
    const limits = limitsOf(key);
    return (
      <DurationField
        label={label}
        hint={limits === null ? hint : `${hint} ${limitsText(limits)}`}
        value={times.value[key]}
        inherited={me.value?.hub.policy[key] ?? null}
        limits={limits}
        common={COMMON_TIMES[key]}
        disabled={locked}
        testId={key}
        onChange={(value) => {
          times.value = { ...times.value, [key]: value };
        }}
      />
    );
  }
}

/** What this user may choose; null: everything. */
function limitsOf(key: keyof Times): Limits | null {
  const bounds = me.value?.hub.bounds;
  if (bounds === undefined || isAdmin.value) return null;
  return { least: bounds.shortest[key] ?? null, most: bounds.longest[key] ?? null };
}

function timesOf({ idle_after, reclaim_after, max_runtime }: Workspace): Times {
  return { idle_after, reclaim_after, max_runtime };
}

/** Only what differs is sent: others may change the rest at the same time. */
function changesOf(workspace: Workspace, wanted: Required<WorkspaceChange>): WorkspaceChange {
  const before: Readonly<Record<string, unknown>> = workspace;
  return Object.fromEntries(Object.entries(wanted).filter(([key, value]) => before[key] !== value));
}

function Deleting({ workspace }: Properties): JSX.Element {
  const words = spoken(area).settingsTab;
  const asking = useSignal(false);
  const shown = workspace.name || workspace.id;
  const why = workspace.personal
    ? words.personalStays
    : !mayHere(workspace, "delete")
      ? words.ownersDelete
      : workspace.boards > 0
        ? words.hasBoards(workspace.boards)
        : undefined;
  return (
    <Section
      title={words.danger}
      text={why ?? words.dangerText}
      tone={why === undefined ? "bad" : "plain"}
      actions={
        <Button
          icon="trash"
          label={spoken(shared).delete}
          title={words.danger}
          kind="danger"
          disabled={why !== undefined}
          testId="delete-workspace"
          onClick={() => {
            asking.value = true;
          }}
        />
      }
    >
      {asking.value && (
        <Confirm
          title={words.deleteTitle(shown)}
          text={words.deleteText(workspace.members)}
          action={spoken(shared).delete}
          type={workspace.id}
          onClose={() => {
            asking.value = false;
          }}
          onConfirm={async () => {
            await deleteWorkspace(workspace.id);
            tell(words.deleted(shown));
            void loadSession();
            go(["workspaces"]);
          }}
        />
      )}
    </Section>
  );
}
