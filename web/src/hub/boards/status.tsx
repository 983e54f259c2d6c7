// The state of a board: a dot, the word, and the reason. The color is never the only sign.

import type { JSX } from "preact";
import type { Board, State } from "../api/types";
import { isoText, spoken } from "../preferences";
import * as area from "../texts/boards";
import "../parts/status.css";

export const ACTIVE: ReadonlySet<State> = new Set(["Pending", "Starting", "Running", "Idle", "Stopping"]);

/** States that end without a command. */
export const CHANGING: ReadonlySet<State> = new Set(["Pending", "Starting", "Stopping", "Deleting"]);

/** Why a board is stopped, failed or waits to be started again; empty if there is nothing to say. */
export function reasonText({ state, reason }: Pick<Board, "state" | "reason">): string {
  if (state !== "Stopped" && state !== "Failed" && state !== "Pending") return "";
  return spoken(area).reason[reason] ?? reason;
}

type Shown = Pick<Board, "state" | "reason" | "state_since">;

export function Status({ board }: { readonly board: Shown }): JSX.Element {
  const words = spoken(area);
  const reason = reasonText(board);
  const word = words.state[board.state] ?? board.state;
  const since = isoText(board.state_since);
  return (
    <span
      class={`status status--${board.state.toLowerCase()}`}
      title={[word, reason, since].filter(Boolean).join(" · ")}
    >
      <span class="status__dot" />
      <span class="status__word">{word}</span>
      {reason !== "" && <span class="status__reason">{reason}</span>}
    </span>
  );
}
