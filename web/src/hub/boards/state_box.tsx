// What the state of a board means now: progress of its start, when it pauses, why it stopped or failed.

import type { JSX } from "preact";
import { Button } from "../../widgets/button";
import type { Board, Progress } from "../api/types";
import { sentenceFor, upperFirst } from "../explained";
import { Marked } from "../parts/marked";
import { dateText, grouped, spoken, untilText } from "../preferences";
import { changeQuery } from "../router";
import * as area from "../texts/board";
import "./state_box.css";

type Properties = { readonly board: Board; readonly progress: Progress | null };

export function StateBox({ board, progress }: Properties): JSX.Element {
  const words = spoken(area);
  switch (board.state) {
    case "Pending":
    case "Starting":
      return <Start board={board} progress={progress} />;
    case "Failed":
      return <Failed board={board} />;
    case "Stopped":
      return (
        <p class="state-box">
          {words.stoppedBy[board.reason] ?? ""}{" "}
          {board.wake_on_open && board.reason !== "Admin" ? words.resumeHint : words.resumeByButton}
        </p>
      );
    case "Stopping":
      return <p class="state-box">{words.stopping}</p>;
    case "Deleting":
      return <p class="state-box">{words.deleting}</p>;
    default:
      return <p class="state-box">{deadlines(board).join(" ")}</p>;
  }
}

function deadlines({ state, reclaim_at, runtime_ends_at, keep_alive_until }: Board): readonly string[] {
  const words = spoken(area);
  const pauses = untilText(reclaim_at);
  const ends = untilText(runtime_ends_at);
  const told = [
    keep_alive_until === null ? "" : words.keptUntil(dateText(keep_alive_until)),
    pauses === null ? "" : state === "Idle" ? words.idle(pauses) : words.running(pauses),
    ends === null ? "" : words.ends(ends),
  ].filter((text) => text !== "");
  return told.length === 0 ? [words.neverPauses] : told;
}

function Start({ board, progress }: Properties): JSX.Element {
  const words = spoken(area);
  const phase = progress === null ? words.waiting : (words.phase[progress.phase] ?? progress.phase);
  const { files_read: read = 0, files_total: all = 0, percent = 0 } = progress ?? {};
  const known = percent !== null && percent > 0;
  return (
    <div class="state-box state-box--start" data-testid="progress">
      <div class="state-box__line" role="status">
        <span>{board.state === "Pending" && progress === null ? words.waiting : phase}</span>
        {(all ?? 0) > 0 && <span class="state-box__quiet">{words.files(grouped(read ?? 0), grouped(all ?? 0))}</span>}
      </div>
      {board.reason !== "" && (
        <p class="state-box__quiet">
          <Marked text={sentenceFor(board.reason, board.message.split("\n")[0] ?? "").message} />
        </p>
      )}
      <div
        class={known ? "state-box__meter" : "state-box__meter state-box__meter--open"}
        role="progressbar"
        aria-label={phase}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={known ? percent : undefined}
      >
        <div style={{ width: known ? `${percent}%` : "30%" }} />
      </div>
    </div>
  );
}

function Failed({ board }: { readonly board: Board }): JSX.Element {
  const words = spoken(area);
  const [first = "", ...rest] = board.message.split("\n");
  const { message, hint } = sentenceFor(board.reason, first, "");
  const own = upperFirst(first);
  const log = rest.length > 0 ? board.message : "";
  return (
    <div class="state-box state-box--bad" role="alert">
      <strong>
        <Marked text={message} />
      </strong>
      {own !== "" && own !== message && (
        <p>
          <Marked text={own} />
        </p>
      )}
      {hint !== "" && hint !== own && <p class="state-box__quiet">{hint}</p>}
      {log !== "" && (
        <details>
          <summary>{words.lastLines}</summary>
          <pre>{log}</pre>
        </details>
      )}
      <div class="panel__actions">
        {board.may.includes("logs") && (
          <Button label={words.seeLog} title={words.seeLog} onClick={() => changeQuery({ tab: "logs" })} />
        )}
      </div>
    </div>
  );
}
