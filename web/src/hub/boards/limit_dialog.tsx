// The dialog of a full quota: the boards that could be stopped, each with a button that stops it and tries again.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { Button } from "../../widgets/button";
import { Dialog } from "../../widgets/dialog";
import { commandBoard, fetchBoard } from "../api/boards";
import type { HubError } from "../api/client";
import type { Board, State } from "../api/types";
import { reasonOf } from "../explained";
import { agoText, grouped, spoken } from "../preferences";
import * as area from "../texts/boards";
import * as shellArea from "../texts/shell";
import { isLimit, type LimitReached, limitReached } from "./commands";
import "./limit_dialog.css";
import { ACTIVE } from "./status";

type Stoppable = Pick<Board, "id" | "name" | "last_activity"> & { readonly state: State };

/** The boards that a problem names, those unused for longest first. */
export function stoppableIn({ problem }: HubError): readonly Stoppable[] {
  const boards = Array.isArray(problem.boards) ? (problem.boards as readonly Stoppable[]) : [];
  const used = ({ last_activity }: Stoppable): string => last_activity ?? "";
  return [...boards].sort((one, other) => (used(one) < used(other) ? -1 : 1));
}

/** Mounted once; open while `limitReached` has a value. */
export function LimitDialog(): JSX.Element | null {
  const now = limitReached.value;
  return now === null ? null : <OpenDialog key={now.error.message} {...now} />;
}

const POLL_MS = 250;
const MOST_POLLS = 120;

/** A slot is free when the process is gone. */
async function untilStopped(id: string): Promise<void> {
  for (let poll = 0; poll < MOST_POLLS; poll++) {
    const { state } = await fetchBoard(id);
    if (!ACTIVE.has(state)) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function OpenDialog({ error, retry }: LimitReached): JSX.Element {
  const words = spoken(area);
  const busy = useSignal("");
  const problem = useSignal("");
  const close = (): void => {
    limitReached.value = null;
  };
  const stopThenRetry = async (board: Stoppable): Promise<void> => {
    busy.value = board.id;
    problem.value = "";
    try {
      await commandBoard(board.id, "stop");
      await untilStopped(board.id);
      close();
      await retry();
    } catch (failure) {
      if (isLimit(failure)) limitReached.value = { error: failure, retry };
      else problem.value = reasonOf(failure);
      busy.value = "";
    }
  };
  const boards = stoppableIn(error);
  const { used, limit, scope } = error.problem as { used?: number; limit?: number; scope?: string };
  const [level = ""] = (scope ?? "").split(":");
  return (
    <Dialog
      title={words.limitTitle}
      testId="limit"
      onClose={close}
      actions={<Button label={spoken(shellArea).cancel} title={spoken(shellArea).cancel} onClick={close} />}
    >
      <div class="limit">
        <p>
          {words.limitText(grouped(used ?? boards.length), grouped(limit ?? boards.length))}{" "}
          {words.limitScope[level] ?? ""}
        </p>
        {boards.length === 0 && <p class="limit__quiet">{words.limitOthers}</p>}
        <ul class="limit__boards">
          {boards.map((board) => (
            <li key={board.id} class="limit__board">
              <span class="limit__name">
                <strong>{board.name}</strong>
                <span class="limit__quiet">
                  {words.state[board.state]} · {words.lastUsed(agoText(board.last_activity))}
                </span>
              </span>
              <Button
                label={busy.value === board.id ? words.waitingForSlot : words.stopAndTry}
                title={words.stopOne(board.name)}
                disabled={busy.value !== ""}
                testId={`limit-stop-${board.id}`}
                onClick={() => void stopThenRetry(board)}
              >
                <span class="aside-text">: {board.name}</span>
              </Button>
            </li>
          ))}
        </ul>
        {problem.value !== "" && (
          <p class="limit__problem" role="alert">
            {problem.value}
          </p>
        )}
      </div>
    </Dialog>
  );
}
