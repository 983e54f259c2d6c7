// The hub at a glance: boards by state, users, workspaces, and what the hub runs on.

import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { fetchOverview, type Overview } from "../api/people";
import { grouped, now, spoken } from "../preferences";
import { link } from "../router";
import { me } from "../session";
import * as area from "../texts/admin";
import { Section, toneOf } from "./frame";
import { Empty, Loaded, useLoaded } from "./loaded";

const STATES = ["Running", "Idle", "Starting", "Pending", "Stopping", "Stopped", "Failed", "Deleting"] as const;

export function OverviewTab(): JSX.Element {
  const load = useLoaded("overview", fetchOverview);
  const tick = now.value;
  const first = useRef(tick);
  // up to date while somebody looks at it
  useEffect(() => {
    if (tick !== first.current) load.reload();
  }, [tick]);
  return <Loaded load={load}>{(overview) => <Glance overview={overview} />}</Loaded>;
}

function Glance({ overview }: { readonly overview: Overview }): JSX.Element {
  const words = spoken(area).overview;
  return (
    <>
      <Section title={words.boards} testId="boards-by-state">
        <States boards={overview.boards} />
      </Section>
      <div class="people-columns">
        <Section title={words.hub} testId="hub">
          <Hub overview={overview} />
        </Section>
        <Section title={words.people}>
          <dl class="people-facts">
            <dt>{words.users}</dt>
            <dd>
              <a href={link(["admin"], { tab: "users" })}>{grouped(overview.users)}</a>
            </dd>
            <dt>{words.workspaces}</dt>
            <dd>
              <a href={link(["admin"], { tab: "workspaces" })}>{grouped(overview.workspaces)}</a>
            </dd>
          </dl>
        </Section>
      </div>
    </>
  );
}

function States({ boards }: { readonly boards: Readonly<Record<string, number>> }): JSX.Element {
  const words = spoken(area);
  const present = STATES.filter((state) => (boards[state] ?? 0) > 0);
  if (present.length === 0) return <Empty title={words.overview.noBoards} />;
  return (
    <ul class="people-states">
      {present.map((state) => (
        <li key={state}>
          <a href={link(["boards"], { state })} class={`people-state people-state--${toneOf(state)}`}>
            <strong>{grouped(boards[state] ?? 0)}</strong>
            <span>{words.states[state] ?? state}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function Hub({ overview }: { readonly overview: Overview }): JSX.Element {
  const words = spoken(area).overview;
  return (
    <dl class="people-facts">
      <dt>{words.version}</dt>
      <dd>{overview.version}</dd>
      <dt>{words.database}</dt>
      <dd>{words.databases[overview.database] ?? overview.database}</dd>
      <dt>{words.address}</dt>
      <dd>{me.value?.hub.url}</dd>
      <dt>{words.leader}</dt>
      <dd>
        {overview.leader === "" ? <span class="people-warn">{words.noLeader}</span> : overview.leader}
        <div class="field__hint">{words.leaderHint}</div>
      </dd>
    </dl>
  );
}
