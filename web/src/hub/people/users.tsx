// Users of the hub, for admins: the list with search, and a menu of actions for each. The search is in the address.

import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { tell } from "../../state/toasts";
import { Button } from "../../widgets/button";
import { FilterBox } from "../../widgets/filter_box";
import { Menu, type MenuItem } from "../../widgets/menu";
import { changeUser, deleteUser, fetchUsers, resetUser, type UserRow } from "../api/people";
import { grouped, spoken } from "../preferences";
import { address, changeQuery } from "../router";
import { me } from "../session";
import * as area from "../texts/admin";
import * as shared from "../texts/people";
import { Confirm } from "./confirm";
import { type Column, DataTable } from "./data_table";
import { Badge, Section } from "./frame";
import { Empty, Loaded, useLoaded } from "./loaded";
import { attempt } from "./task";
import { Ago, When } from "./times";
import { CreateUser, EditUser, type OneTime, ShowLink } from "./user_dialogs";

type Sheet =
  | { readonly kind: "create" }
  | { readonly kind: "link"; readonly link: OneTime }
  | { readonly kind: "edit" | Asking; readonly user: UserRow };

/** What is asked before it is done. */
type Asking = "reset" | "disable" | "promote" | "demote" | "delete";

const MOST_PAGES = 5;

export function Users(): JSX.Element {
  const words = spoken(area).users;
  const { q = "" } = address.value.query;
  const load = useLoaded(`users ${q}`, (signal) => fetchAll(q, signal));
  const sheet = useSignal<Sheet | null>(null);
  const create = (
    <Button
      icon="plus"
      label={words.create}
      title={words.create}
      kind="primary"
      testId="create-user"
      onClick={() => {
        sheet.value = { kind: "create" };
      }}
    />
  );
  return (
    <Section title={spoken(area).tabs.users} actions={create} testId="users">
      <FilterBox label={words.search} value={q} testId="search-users" onChange={(text) => changeQuery({ q: text })} />
      <Loaded load={load}>
        {({ rows, more }) =>
          rows.length === 0 ? (
            <Empty title={words.noMatch} />
          ) : (
            <>
              <DataTable
                label={spoken(area).tabs.users}
                rows={rows}
                keyOf={(row) => row.name}
                columns={columns(sheet, load.reload)}
              />
              {more && <p class="people-quiet">{spoken(shared).firstOnly(grouped(rows.length))}</p>}
            </>
          )
        }
      </Loaded>
      <OpenSheet sheet={sheet} onDone={load.reload} />
    </Section>
  );
}

type Found = { readonly rows: readonly UserRow[]; readonly more: boolean };

/** The first thousand users; others are found by the search. */
async function fetchAll(q: string, signal: AbortSignal): Promise<Found> {
  const rows: UserRow[] = [];
  let token = "";
  for (let turn = 0; turn < MOST_PAGES; turn += 1) {
    const page = await fetchUsers({ q, page_token: token }, signal);
    rows.push(...page.items);
    token = page.next_page_token;
    if (token === "") break;
  }
  return { rows, more: token !== "" };
}

function columns(sheet: Signal<Sheet | null>, reload: () => void): readonly Column<UserRow>[] {
  const words = spoken(area).users;
  return [
    { key: "name", title: words.name, cell: (row) => <UserName user={row} /> },
    { key: "display", title: words.displayName, cell: (row) => row.display_name },
    { key: "number", title: words.boards, cell: (row) => <Boards user={row} /> },
    { key: "used", title: words.seen, cell: (row) => <Ago time={row.last_seen} none={words.unseen} /> },
    { key: "created", title: words.created, cell: (row) => <When time={row.created} /> },
    {
      key: "menu",
      title: "",
      cell: (row) => (
        <Menu label={spoken(shared).actions(row.name)} testId={`user-${row.name}`} items={items(row, sheet, reload)} />
      ),
    },
  ];
}

function UserName({ user }: { readonly user: UserRow }): JSX.Element {
  const words = spoken(area).users;
  return (
    <span class="people-name">
      <strong>{user.name}</strong>
      {user.name === me.value?.user.name && <Badge text={words.you} />}
      {user.admin && <Badge text={words.admin} tone="accent" />}
      {!user.enabled && <Badge text={words.disabled} tone="bad" />}
      {user.enabled && !user.has_password && <Badge text={words.noPassword} tone="warn" />}
    </span>
  );
}

function Boards({ user }: { readonly user: UserRow }): JSX.Element {
  const { boards, boards_limit: limit } = user;
  if (limit === "default") return <>{grouped(boards)}</>;
  return (
    <span title={spoken(area).users.limit}>
      {grouped(boards)} / {limit === null ? "∞" : grouped(limit)}
    </span>
  );
}

function items(user: UserRow, sheet: Signal<Sheet | null>, reload: () => void): readonly MenuItem[] {
  const words = spoken(area).users;
  const own = user.name === me.value?.user.name;
  const open = (kind: "edit" | Asking) => (): void => {
    sheet.value = { kind, user };
  };
  // an admin cannot lock themselves out by accident
  const guard = own ? { disabled: true, title: words.yourself } : {};
  const enable = (): void =>
    void attempt(async () => {
      await changeUser(user.name, { enabled: true });
      tell(words.enabledUser(user.name));
      reload();
    });
  return [
    { label: words.edit, icon: "edit", onSelect: open("edit") },
    { label: words.reset, icon: "link", onSelect: open("reset") },
    user.admin
      ? { label: words.demote, icon: "user", ...guard, onSelect: open("demote") }
      : { label: words.promote, icon: "user", onSelect: open("promote") },
    user.enabled
      ? { label: words.disable, icon: "pause", ...guard, onSelect: open("disable") }
      : { label: words.enable, icon: "play", onSelect: enable },
    "separator",
    { label: words.delete, icon: "trash", danger: true, ...guard, onSelect: open("delete") },
  ];
}

type SheetProperties = { readonly sheet: Signal<Sheet | null>; readonly onDone: () => void };

function OpenSheet({ sheet, onDone }: SheetProperties): JSX.Element | null {
  const now = sheet.value;
  const close = (): void => {
    // a sheet may have been replaced by the next one, such as the link of a new user
    if (sheet.value === now) sheet.value = null;
  };
  const showLink = (link: OneTime): void => {
    sheet.value = { kind: "link", link };
  };
  if (now === null) return null;
  if (now.kind === "create") return <CreateUser onClose={close} onDone={onDone} onLink={showLink} />;
  if (now.kind === "link") return <ShowLink {...now.link} onClose={close} />;
  if (now.kind === "edit") return <EditUser user={now.user} onClose={close} onDone={onDone} />;
  const { done, ...question } = questions(now.user, showLink)[now.kind];
  const confirm = async (): Promise<void> => {
    await question.onConfirm();
    if (done === undefined) return;
    tell(done);
    onDone();
  };
  return <Confirm key={now.kind} {...question} onConfirm={confirm} onClose={close} />;
}

type Question = {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly danger?: boolean;
  readonly type?: string;
  readonly onConfirm: () => Promise<unknown>;
  /** The message after it. */
  readonly done?: string;
};

function questions(user: UserRow, onLink: (link: OneTime) => void): Readonly<Record<Asking, Question>> {
  const words = spoken(area).users;
  const { name } = user;
  return {
    reset: {
      title: words.resetTitle(name),
      text: words.resetText,
      action: words.resetDo,
      danger: false,
      onConfirm: async () => onLink({ name, ...(await resetUser(name)) }),
    },
    disable: {
      title: words.disableTitle(name),
      text: words.disableText,
      action: words.disableDo,
      onConfirm: () => changeUser(name, { enabled: false }),
      done: words.disabledUser(name),
    },
    promote: {
      title: words.promoteTitle(name),
      text: words.promoteText,
      action: words.promoteDo,
      onConfirm: () => changeUser(name, { admin: true }),
      done: words.promoted(name),
    },
    demote: {
      title: words.demoteTitle(name),
      text: words.demoteText,
      action: words.demoteDo,
      onConfirm: () => changeUser(name, { admin: false }),
      done: words.demoted(name),
    },
    delete: {
      title: words.deleteTitle(name),
      text: words.deleteText,
      action: spoken(shared).delete,
      type: name,
      onConfirm: () => deleteUser(name),
      done: words.deleted(name),
    },
  };
}
