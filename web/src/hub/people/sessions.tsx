// Browsers that are signed in to the account, each of which can be signed out.

import type { JSX } from "preact";
import { tell } from "../../state/toasts";
import { Button } from "../../widgets/button";
import { endSession, fetchSessions, type SessionRow } from "../api/people";
import { spoken } from "../preferences";
import { signOut } from "../session";
import * as area from "../texts/account";
import * as shared from "../texts/people";
import { clientOf } from "./browsers";
import { type Column, DataTable } from "./data_table";
import { Badge, Section } from "./frame";
import { Loaded, useLoaded } from "./loaded";
import { attempt } from "./task";
import { Ago, When } from "./times";

export function Sessions(): JSX.Element {
  const words = spoken(area).sessions;
  const load = useLoaded("sessions", fetchSessions);
  const end = (row: SessionRow): void =>
    void attempt(async () => {
      if (row.current) {
        await signOut();
        return;
      }
      await endSession(row.id);
      tell(words.revoked);
      load.reload();
    });
  const endOthers = (rows: readonly SessionRow[]): void =>
    void attempt(async () => {
      const others = rows.filter((row) => !row.current);
      for (const row of others) await endSession(row.id);
      tell(words.revokedOthers(others.length));
      load.reload();
    });
  return (
    <Loaded load={load}>
      {(rows) => (
        <Section
          title={words.heading}
          text={words.intro}
          actions={
            rows.some((row) => !row.current) && (
              <Button label={words.revokeOthers} title={words.revokeOthers} onClick={() => endOthers(rows)} />
            )
          }
        >
          <DataTable
            label={words.heading}
            rows={[...rows].sort((one, other) => Number(other.current) - Number(one.current))}
            keyOf={(row) => row.id}
            testId="sessions"
            columns={columns(end)}
          />
        </Section>
      )}
    </Loaded>
  );
}

function columns(end: (row: SessionRow) => void): readonly Column<SessionRow>[] {
  const words = spoken(area).sessions;
  return [
    { key: "name", title: words.browser, cell: (row) => <Browser row={row} /> },
    { key: "address", title: words.address, cell: (row) => row.address },
    { key: "created", title: words.started, cell: (row) => <When time={row.created} /> },
    { key: "used", title: words.used, cell: (row) => <Ago time={row.last_used} /> },
    { key: "expires", title: words.expires, cell: (row) => <When time={row.expires} none={spoken(shared).never} /> },
    {
      key: "actions",
      title: "",
      cell: (row) => (
        <Button
          label={words.revoke}
          title={row.current ? words.signOut : words.revoke}
          kind="danger"
          onClick={() => end(row)}
        />
      ),
    },
  ];
}

function Browser({ row }: { readonly row: SessionRow }): JSX.Element {
  const words = spoken(area).sessions;
  const { browser, system } = clientOf(row.agent);
  return (
    <span class="people-name" title={row.agent}>
      {words.client(browser, system) || words.unknown}
      {row.current && <Badge text={words.current} tone="good" />}
    </span>
  );
}
