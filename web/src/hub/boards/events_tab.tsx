// What happened to a board, newest first, as sentences: who did it, and why.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { fetchEvents } from "../api/boards";
import type { BoardEvent } from "../api/types";
import { Failure } from "../parts/notice";
import { agoText, dateText, isoText, spoken } from "../preferences";
import * as area from "../texts/board";
import * as boardsArea from "../texts/boards";
import type { TabProperties } from "./board_page";
import "./events_tab.css";

const TONES: Readonly<Record<string, string>> = {
  Running: "good",
  Used: "good",
  Crashed: "bad",
  Failed: "bad",
  Stopped: "quiet",
  Idle: "quiet",
};

/** The sentence of an event in the user's language. */
export function eventText({ kind, actor, reason, message }: BoardEvent): string {
  const words = spoken(area);
  const who = actor === "hub" || actor === "" ? words.hub : actor;
  const sentence = words.event[kind];
  if (kind === "Changed") return sentence?.(who, changedMembers(message === "" ? reason : message)) ?? "";
  const why = reason === "" ? "" : (spoken(boardsArea).reason[reason] ?? reason);
  return sentence?.(who, why) ?? words.unknownEvent(kind, who, why);
}

/** "name, sources" in the user's words. */
function changedMembers(members: string): string {
  const words = spoken(area).member;
  return members
    .split(", ")
    .map((member) => words[member] ?? member)
    .join(", ");
}

export function EventsTab({ board }: TabProperties): JSX.Element {
  const words = spoken(area);
  const events = useSignal<readonly BoardEvent[] | null>(null);
  const error = useSignal<unknown>(null);
  const load = (): void => {
    fetchEvents(board.id).then(
      ({ items }) => {
        events.value = items;
        error.value = null;
      },
      (failure: unknown) => {
        if (events.peek() === null) error.value = failure;
      },
    );
  };
  // every change of the board is an event
  useEffect(load, [board.id, board.state, board.generation, board.keep_alive_until]);
  if (error.value !== null) return <Failure error={error.value} onRetry={load} />;
  if (events.value === null) return <div class="panel" aria-busy="true" />;
  if (events.value.length === 0) return <p class="panel panel__quiet">{words.noEvents}</p>;
  return (
    <ol class="panel events" data-testid="events">
      {events.value.map((event, at) => (
        <Event key={`${event.time} ${event.kind} ${at}`} event={event} />
      ))}
    </ol>
  );
}

function Event({ event }: { readonly event: BoardEvent }): JSX.Element {
  const words = spoken(area);
  const more = event.kind === "Changed" ? "" : event.message;
  return (
    <li class="event" data-kind={event.kind} data-tone={TONES[event.kind]}>
      <span class="event__dot" />
      <div class="event__body">
        <span>{eventText(event)}</span>
        {more !== "" && (
          <details>
            <summary>{words.details}</summary>
            <pre>{more}</pre>
          </details>
        )}
      </div>
      <time class="event__time" dateTime={event.time} title={isoText(event.time)}>
        {dateText(event.time, "second")} <span class="panel__quiet">{agoText(event.time)}</span>
      </time>
    </li>
  );
}
