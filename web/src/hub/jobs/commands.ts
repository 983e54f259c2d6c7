// Commands of one job, from the list, its menu and its page.

import { signal } from "@preact/signals";
import { tell } from "../../state/toasts";
import { copyText } from "../../widgets/clipboard";
import type { MenuItem } from "../../widgets/menu";
import { type Job, makeJobBoard } from "../api/jobs";
import { isLimit, limitReached } from "../boards/commands";
import { reasonOf } from "../explained";
import { spoken } from "../preferences";
import { go, link } from "../router";
import * as area from "../texts/jobs";
import * as shellArea from "../texts/shell";
import { OPEN } from "./job_status";

/** A question to the user about jobs; null: no dialog. */
export type Question = { readonly kind: "stop" | "remove" | "board"; readonly jobs: readonly Job[] };

export const question = signal<Question | null>(null);

// ---- what may be done now

export function canStop({ may, state, stop_requested }: Job): boolean {
  return may.includes("command") && OPEN.has(state) && stop_requested === null;
}

export function canRemove({ may, state }: Job): boolean {
  return may.includes("delete") && state !== "Running" && state !== "Stopping";
}

/** There is a board to create or to start. */
export function canMakeBoard({ may, logdir, board }: Job): boolean {
  const sleeps = board === null || board.state === "Stopped" || board.state === "Failed";
  return may.includes("command") && logdir !== "" && sleeps;
}

// ---- boards

export async function makeBoard(job: Job, onJob: (job: Job) => void): Promise<void> {
  const words = spoken(area);
  const work = async (): Promise<void> => {
    const { id, name, url, state } = await makeJobBoard(job.id);
    onJob({ ...job, board: { id, name, url, state }, board_status: "Made", board_message: "" });
    tell(words.boardStarting(job.name));
  };
  try {
    await work();
  } catch (error) {
    if (isLimit(error)) limitReached.value = { error, retry: work };
    else tell(words.failedCommand(job.name, reasonOf(error)), { kind: "error" });
  }
}

async function copy(text: string, told: string): Promise<void> {
  if (await copyText(text)) tell(told);
  else tell(spoken(shellArea).notCopied, { kind: "error" });
}

export function menuItems(job: Job, onJob: (job: Job) => void): readonly MenuItem[] {
  const words = spoken(area);
  const page = (tab: string, label: string, icon: "info" | "note"): MenuItem => {
    const query = tab === "" ? {} : { tab };
    return { label, icon, href: () => link(["jobs", job.id], query), onSelect: () => go(["jobs", job.id], query) };
  };
  const ask = (kind: Question["kind"]) => () => {
    question.value = { kind, jobs: [job] };
  };
  const boardWord = job.board === null ? words.createBoard : words.resumeBoard;
  return [
    page("", words.details, "info"),
    ...(job.may.includes("logs") ? [page("log", words.log, "note")] : []),
    "separator",
    ...(job.rerun === ""
      ? []
      : [
          {
            label: words.copyRerun,
            icon: "copy" as const,
            onSelect: () => void copy(job.rerun, words.rerunCopied),
          },
        ]),
    {
      label: words.copyLink,
      icon: "link",
      onSelect: () => void copy(new URL(link(["jobs", job.id]), location.href).href, words.linkCopied),
    },
    ...(canMakeBoard(job) || canStop(job) ? (["separator"] as const) : []),
    ...(canMakeBoard(job)
      ? [{ label: boardWord, icon: "play" as const, onSelect: () => void makeBoard(job, onJob) }]
      : []),
    ...(canStop(job) ? [{ label: words.stop, icon: "stop" as const, onSelect: ask("stop") }] : []),
    ...(canRemove(job)
      ? (["separator", { label: words.remove, icon: "trash", danger: true, onSelect: ask("remove") }] as const)
      : []),
  ];
}
