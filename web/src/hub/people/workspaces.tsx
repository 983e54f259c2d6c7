// The list of workspaces, and the dialog that creates one.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { tell } from "../../state/toasts";
import { Button } from "../../widgets/button";
import { Dialog } from "../../widgets/dialog";
import { FilterBox } from "../../widgets/filter_box";
import { HubError } from "../api/client";
import { createWorkspace, fetchWorkspaces, type WorkspaceRow } from "../api/people";
import { grouped, spoken } from "../preferences";
import { go, link } from "../router";
import { loadSession, me } from "../session";
import * as shared from "../texts/people";
import * as area from "../texts/workspaces";
import { type Column, DataTable } from "./data_table";
import { Form, Line, Refusal, Submit, TextArea } from "./form";
import { Badge, Frame } from "./frame";
import { Empty, Loaded, useLoaded } from "./loaded";
import { slugFault, slugOf } from "./slug";
import { useTask } from "./task";
import { When } from "./times";

// fewer rows need no search
const MANY = 8;
// a hub with thousands of users has as many personal workspaces
const MOST_ROWS = 500;

export function Page(): JSX.Element {
  const words = spoken(area);
  const creating = useSignal(false);
  const load = useLoaded("workspaces", (signal) => fetchWorkspaces(true, signal));
  const mayCreate = me.value?.hub.self_service === true || me.value?.user.admin === true;
  const create = (
    <Button
      icon="plus"
      label={words.create}
      title={words.create}
      kind="primary"
      testId="create-workspace"
      onClick={() => {
        creating.value = true;
      }}
    />
  );
  return (
    <Frame page="workspaces" title={words.title} intro={words.intro} actions={mayCreate && create}>
      <Loaded load={load}>{(rows) => <WorkspaceList rows={rows} />}</Loaded>
      {creating.value && (
        <CreateWorkspace
          onClose={() => {
            creating.value = false;
          }}
        />
      )}
    </Frame>
  );
}

export function WorkspaceList({ rows }: { readonly rows: readonly WorkspaceRow[] }): JSX.Element {
  const words = spoken(area);
  const search = useSignal("");
  const wanted = search.value.trim().toLowerCase();
  const shown = rows.filter(({ id, name, description }) =>
    [id, name, description].some((text) => text.toLowerCase().includes(wanted)),
  );
  if (rows.length === 0) return <Empty title={words.empty} />;
  return (
    <section class="people-section" aria-label={words.title}>
      {rows.length >= MANY && (
        <FilterBox
          label={words.search}
          value={search.value}
          count={wanted === "" ? undefined : `${shown.length} / ${rows.length}`}
          onChange={(text) => {
            search.value = text;
          }}
        />
      )}
      {shown.length === 0 ? (
        <Empty title={words.noMatch} />
      ) : (
        <DataTable
          label={words.title}
          rows={shown.slice(0, MOST_ROWS)}
          keyOf={(row) => row.id}
          columns={columns()}
          testId="workspaces"
        />
      )}
      {shown.length > MOST_ROWS && <p class="people-quiet">{spoken(shared).firstOnly(grouped(MOST_ROWS))}</p>}
    </section>
  );
}

function columns(): readonly Column<WorkspaceRow>[] {
  const words = spoken(area);
  return [
    { key: "name", title: words.name, cell: (row) => <WorkspaceName row={row} /> },
    {
      key: "description",
      title: words.description,
      cell: (row) => row.description !== "" && <span class="people-quiet">{row.description}</span>,
    },
    { key: "role", title: words.role, cell: (row) => roleText(row.role) },
    {
      key: "number",
      title: words.members,
      cell: (row) => <a href={link(["workspaces", row.id], { tab: "members" })}>{grouped(row.members)}</a>,
    },
    {
      key: "number",
      title: words.boards,
      cell: (row) => <a href={link(["boards"], { workspace: row.id })}>{grouped(row.boards)}</a>,
    },
    { key: "created", title: words.createdAt, cell: (row) => <When time={row.created} /> },
  ];
}

/** Without a role the user sees the workspace as an admin of the hub. */
export function roleText(role: string | null): string {
  const words = spoken(area);
  return role === null || role === "" ? words.asAdmin : (words.roles[role] ?? role);
}

function WorkspaceName({ row }: { readonly row: WorkspaceRow }): JSX.Element {
  return (
    <span class="people-name">
      <a href={link(["workspaces", row.id])}>{row.name || row.id}</a>
      {row.name !== "" && row.name !== row.id && <code class="people-name__id">{row.id}</code>}
      {row.personal && <Badge text={spoken(area).personal} />}
    </span>
  );
}

function CreateWorkspace({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const words = spoken(area);
  const [name, description, tried] = [useSignal(""), useSignal(""), useSignal(false)];
  // null: proposed from the name
  const typed = useSignal<string | null>(null);
  const taken = useSignal("");
  const task = useTask();
  const id = typed.value ?? slugOf(name.value);
  const fault = idFault(id, taken.value, tried.value || typed.value !== null);
  const send = (): void => {
    tried.value = true;
    if (slugFault(id) !== null) return;
    void task.run(
      async () => {
        const made = await createWorkspace({
          id,
          name: name.value.trim() || id,
          description: description.value.trim(),
        });
        tell(words.created(made.name || made.id));
        void loadSession();
        go(["workspaces", made.id], { tab: "members" });
      },
      (error) => {
        if (!(error instanceof HubError) || error.status !== 409) return false;
        taken.value = id;
        return true;
      },
    );
  };
  return (
    <Dialog title={words.create} onClose={onClose} lasting testId="new-workspace">
      <Form label={words.create} onSubmit={send}>
        <Line
          label={words.name}
          value={name.value}
          focus
          onInput={(text) => {
            name.value = text;
          }}
        />
        <Line
          label={words.id}
          value={id}
          hint={words.idHint}
          fault={fault}
          testId="workspace-id"
          onInput={(text) => {
            typed.value = text;
          }}
        />
        <TextArea
          label={words.description}
          value={description.value}
          onInput={(text) => {
            description.value = text;
          }}
        />
        <Refusal sentence={task.failure.value} />
        <div class="people-form__actions">
          <Button label={spoken(shared).cancel} title={spoken(shared).cancel} onClick={onClose} />
          <Submit label={spoken(shared).create} busy={task.busy.value} testId="make-workspace" />
        </div>
      </Form>
    </Dialog>
  );
}

function idFault(id: string, taken: string, told: boolean): string | undefined {
  const words = spoken(area);
  if (id !== "" && id === taken) return words.idTaken;
  const fault = slugFault(id);
  if (fault === null || !told) return undefined;
  return { empty: words.idMissing, form: words.idForm, reserved: words.idReserved }[fault];
}
