// Members of a workspace: who they are, what each role may do, adding and removing them.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { tell } from "../../state/toasts";
import { Button } from "../../widgets/button";
import { FilterBox } from "../../widgets/filter_box";
import { Select } from "../../widgets/select";
import {
  fetchMembers,
  findPeople,
  type Member,
  type Person,
  removeMember,
  setMember,
  type Workspace,
} from "../api/people";
import type { Role } from "../api/types";
import { spoken } from "../preferences";
import { go } from "../router";
import { isAdmin, loadSession, me } from "../session";
import * as area from "../texts/workspaces";
import { Confirm } from "./confirm";
import { type Column, DataTable } from "./data_table";
import { Badge, Section } from "./frame";
import { Loaded, useLoaded } from "./loaded";
import { mayHere, ROLES } from "./rights";
import { attempt } from "./task";
import { When } from "./times";

type Properties = { readonly workspace: Workspace; readonly onChange: () => void };

export function Members({ workspace, onChange }: Properties): JSX.Element {
  const words = spoken(area);
  const load = useLoaded(workspace.id, (signal) => fetchMembers(workspace.id, signal));
  const leaving = useSignal<Member | null>(null);
  const changed = (): void => {
    load.reload();
    onChange();
  };
  const setRole = (member: Member, role: Role): void =>
    void attempt(async () => {
      await setMember(workspace.id, member.user, role);
      tell(words.memberTab.changed(member.user, words.roles[role] ?? role));
      changed();
    });
  return (
    <>
      <Loaded load={load}>
        {(members) => (
          <>
            {mayHere(workspace, "members") && <AddMember workspace={workspace} members={members} onAdded={changed} />}
            <Section
              title={words.tabs.members}
              text={mayHere(workspace, "members") ? undefined : words.memberTab.onlyAdmins}
              testId="members"
            >
              <DataTable
                label={words.tabs.members}
                rows={members}
                keyOf={(row) => row.user}
                columns={columns(workspace, members, setRole, (member) => {
                  leaving.value = member;
                })}
              />
            </Section>
          </>
        )}
      </Loaded>
      <RoleGuide />
      {leaving.value !== null && (
        <Leave
          workspace={workspace}
          member={leaving.value}
          onDone={changed}
          onClose={() => {
            leaving.value = null;
          }}
        />
      )}
    </>
  );
}

function RoleGuide(): JSX.Element {
  const words = spoken(area);
  return (
    <Section title={words.rolesTitle}>
      <dl class="people-roles">
        {ROLES.flatMap((role) => [
          <dt key={role}>{words.roles[role]}</dt>,
          <dd key={`${role} may`}>{words.roleMay[role]}</dd>,
        ])}
      </dl>
    </Section>
  );
}

/** Why this member cannot be changed or removed; undefined if it can. */
function fixedBecause(workspace: Workspace, member: Member, members: readonly Member[]): string | undefined {
  const words = spoken(area).memberTab;
  if (member.role !== "owner") return undefined;
  if (members.filter((one) => one.role === "owner").length === 1) return words.lastOwner;
  return mayHere(workspace, "owners") || member.user === me.value?.user.name ? undefined : words.ownersOnly;
}

function columns(
  workspace: Workspace,
  members: readonly Member[],
  setRole: (member: Member, role: Role) => void,
  remove: (member: Member) => void,
): readonly Column<Member>[] {
  const words = spoken(area).memberTab;
  const own = me.value?.user.name;
  return [
    { key: "name", title: words.user, cell: (row) => <MemberName member={row} own={row.user === own} /> },
    {
      key: "role",
      title: words.role,
      cell: (row) => <RoleChoice workspace={workspace} member={row} members={members} onChange={setRole} />,
    },
    { key: "created", title: words.since, cell: (row) => <When time={row.since} /> },
    {
      key: "actions",
      title: "",
      cell: (row) => {
        if (!mayHere(workspace, "members") && row.user !== own) return null;
        const fixed = fixedBecause(workspace, row, members);
        const label = row.user === own ? words.leave : words.remove;
        return (
          <Button
            label={label}
            title={fixed ?? label}
            kind="danger"
            disabled={fixed !== undefined}
            onClick={() => remove(row)}
          />
        );
      },
    },
  ];
}

function MemberName({ member, own }: { readonly member: Member; readonly own: boolean }): JSX.Element {
  return (
    <span class="people-name">
      <strong>{member.display_name || member.user}</strong>
      {member.display_name !== "" && member.display_name !== member.user && (
        <span class="people-name__id">{member.user}</span>
      )}
      {own && <Badge text={spoken(area).memberTab.you} />}
    </span>
  );
}

type RoleProperties = {
  readonly workspace: Workspace;
  readonly member: Member;
  readonly members: readonly Member[];
  readonly onChange: (member: Member, role: Role) => void;
};

function RoleChoice({ workspace, member, members, onChange }: RoleProperties): JSX.Element {
  const words = spoken(area);
  const fixed = fixedBecause(workspace, member, members);
  if (!mayHere(workspace, "members")) return <>{words.roles[member.role] ?? member.role}</>;
  return (
    <span title={fixed ?? words.roleMay[member.role]}>
      <Select
        label={words.memberTab.roleOf(member.user)}
        bare
        value={member.role}
        disabled={fixed !== undefined}
        options={roleOptions(workspace, member.role)}
        testId={`role-${member.user}`}
        onChange={(role) => onChange(member, role)}
      />
    </span>
  );
}

function roleOptions(
  workspace: Workspace,
  current: Role,
): readonly { value: Role; label: string; disabled: boolean }[] {
  const words = spoken(area);
  return ROLES.map((role) => ({
    value: role,
    label: words.roles[role] ?? role,
    disabled: role === "owner" && !mayHere(workspace, "owners") && current !== "owner",
  }));
}

type AddProperties = {
  readonly workspace: Workspace;
  readonly members: readonly Member[];
  readonly onAdded: () => void;
};

// waits until the user stops typing
const PAUSE_MS = 150;

function AddMember({ workspace, members, onAdded }: AddProperties): JSX.Element {
  const words = spoken(area);
  const text = useSignal("");
  const role = useSignal<Role>("editor");
  const people = useSignal<readonly Person[]>([]);
  // what `people` was found for
  const foundFor = useSignal("");
  const busy = useSignal(false);
  const wanted = text.value.trim();
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(() => {
      void findPeople(wanted, abort.signal).then(
        (found) => {
          people.value = found;
          foundFor.value = wanted;
        },
        () => undefined,
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [wanted, people, foundFor]);
  const names = new Set(members.map((member) => member.user));
  const offered = people.value.filter((person) => !names.has(person.name));
  const already = names.has(wanted.toLowerCase());
  const person = people.value.find(({ name }) => name === wanted.toLowerCase());
  const nobody = wanted !== "" && foundFor.value === wanted && people.value.length === 0;
  const add = (): void => {
    if (person === undefined || already || busy.value) return;
    busy.value = true;
    void attempt(async () => {
      await setMember(workspace.id, person.name, role.value);
      tell(words.memberTab.added(person.name, words.roles[role.value] ?? role.value));
      text.value = "";
      onAdded();
    }).finally(() => {
      busy.value = false;
    });
  };
  return (
    <Section title={words.memberTab.add} testId="add-member">
      <div class="people-row">
        <FilterBox
          label={words.memberTab.find}
          value={text.value}
          suggestions={wanted === "" || person !== undefined ? [] : offered.map(suggestion)}
          examples={offered.slice(0, 8).map(suggestion)}
          testId="find-person"
          onEnter={add}
          onChange={(now) => {
            text.value = now;
          }}
        />
        <Select
          label={words.memberTab.role}
          bare
          value={role.value}
          options={roleOptions(workspace, "viewer")}
          testId="new-role"
          onChange={(now) => {
            role.value = now;
          }}
        />
        <Button
          label={words.memberTab.add}
          title={person === undefined ? words.memberTab.choose : words.memberTab.add}
          kind="primary"
          disabled={person === undefined || already || busy.value}
          testId="add"
          onClick={add}
        />
      </div>
      <p class="field__hint" aria-live="polite">
        {already ? words.memberTab.already : nobody ? words.memberTab.nobody(wanted) : words.roleMay[role.value]}
      </p>
    </Section>
  );
}

function suggestion(person: Person): { text: string; detail: string } {
  return { text: person.name, detail: person.display_name };
}

type LeaveProperties = {
  readonly workspace: Workspace;
  readonly member: Member;
  readonly onDone: () => void;
  readonly onClose: () => void;
};

function Leave({ workspace, member, onDone, onClose }: LeaveProperties): JSX.Element {
  const words = spoken(area).memberTab;
  const own = member.user === me.value?.user.name;
  return (
    <Confirm
      title={own ? words.leaveTitle : words.removeTitle(member.user)}
      text={own ? words.leaveText : words.removeText}
      action={own ? words.leave : words.remove}
      onClose={onClose}
      onConfirm={async () => {
        await removeMember(workspace.id, member.user);
        tell(words.removed(member.user));
        if (own) void loadSession();
        if (own && !isAdmin.value) go(["workspaces"]);
        else onDone();
      }}
    />
  );
}
