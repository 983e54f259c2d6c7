// Commands of one board, from the list, its menu and its page. A refused start opens the dialog of a full quota.

import { signal } from "@preact/signals";
import { tell } from "../../state/toasts";
import { copyText } from "../../widgets/clipboard";
import type { MenuItem } from "../../widgets/menu";
import { commandBoard, keepAlive } from "../api/boards";
import { HubError } from "../api/client";
import type { Board } from "../api/types";
import { reasonOf } from "../explained";
import { dateText, spoken } from "../preferences";
import { go, link } from "../router";
import * as area from "../texts/boards";
import * as shellArea from "../texts/shell";
import { ACTIVE } from "./status";

const KEPT_ALIVE = "8h";

/** A start or create that a full quota refused; `retry` tries it again after a board was stopped. */
export type LimitReached = { readonly error: HubError; readonly retry: () => Promise<void> };

/** Opens the dialog of a full quota. */
export const limitReached = signal<LimitReached | null>(null);

/** Boards whose deletion the user is asked about; null: no dialog. */
export const deletion = signal<readonly Board[] | null>(null);

export function isLimit(error: unknown): error is HubError {
  return error instanceof HubError && error.code === "TensorboardLimitExceeded";
}

/** `onBoard` gets the board as the hub reports it after a command. */
export type OnBoard = (board: Board) => void;

async function attempt(board: Board, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isLimit(error)) limitReached.value = { error, retry: work };
    else tell(spoken(area).failedCommand(board.name, reasonOf(error)), { kind: "error" });
  }
}

export function startBoard(board: Board, onBoard: OnBoard): Promise<void> {
  return attempt(board, async () => {
    onBoard(await commandBoard(board.id, "start"));
    tell(spoken(area).started(board.name));
  });
}

export function stopBoard(board: Board, onBoard: OnBoard): Promise<void> {
  return attempt(board, async () => {
    onBoard(await commandBoard(board.id, "stop"));
    const words = spoken(area);
    tell(words.stopped(board.name), {
      action: { label: words.resume, run: () => void startBoard(board, onBoard) },
    });
  });
}

/** `duration` "never" ends it. */
export function keepBoardAlive(board: Board, onBoard: OnBoard, duration = KEPT_ALIVE): Promise<void> {
  return attempt(board, async () => {
    const kept = await keepAlive(board.id, duration);
    onBoard(kept);
    const words = spoken(area);
    tell(
      kept.keep_alive_until === null
        ? words.notKept(board.name)
        : words.kept(board.name, dateText(kept.keep_alive_until)),
    );
  });
}

async function copy(text: string, told: string): Promise<void> {
  if (await copyText(text)) tell(told);
  else tell(spoken(shellArea).notCopied, { kind: "error" });
}

export function copyBoardLink(board: Board): Promise<void> {
  return copy(board.url, spoken(area).linkCopied);
}

// ---- what may be done now

export function canStart({ may, state, desired }: Board): boolean {
  return (
    may.includes("command") &&
    (state === "Stopped" || state === "Failed" || (state === "Stopping" && desired === "Stop"))
  );
}

export function canStop({ may, state, desired }: Board): boolean {
  return may.includes("command") && ACTIVE.has(state) && desired === "Run";
}

export function canDelete({ may, state }: Board): boolean {
  return may.includes("delete") && state !== "Deleting";
}

export function canKeepAlive(board: Board): boolean {
  return canStop(board);
}

/** Opening a board that does not run starts it, if its definition allows that. */
export function canOpen({ may, state }: Board): boolean {
  return may.includes("open") && state !== "Deleting";
}

export function menuItems(board: Board, onBoard: OnBoard): readonly MenuItem[] {
  const words = spoken(area);
  const page = (tab: string, label: string, icon: "info" | "note" | "clock" | "share"): MenuItem => {
    const query = tab === "" ? {} : { tab };
    return {
      label,
      icon,
      href: () => link(["boards", board.id], query),
      onSelect: () => go(["boards", board.id], query),
    };
  };
  const kept = board.keep_alive_until !== null;
  return [
    page("", words.details, "info"),
    page("events", words.events, "clock"),
    ...(board.may.includes("logs") ? [page("logs", words.logs, "note")] : []),
    ...(board.may.includes("share") ? [page("sharing", words.share, "share")] : []),
    "separator",
    { label: words.copyLink, icon: "link", onSelect: () => void copyBoardLink(board) },
    {
      label: words.copyUri,
      icon: "copy",
      onSelect: () => void copy(board.sources.map(({ uri }) => uri).join("\n"), words.uriCopied),
    },
    ...(canStart(board) || canStop(board) ? (["separator"] as const) : []),
    ...(canStart(board)
      ? [{ label: words.resume, icon: "play" as const, onSelect: () => void startBoard(board, onBoard) }]
      : []),
    ...(canStop(board)
      ? [{ label: words.stop, icon: "stop" as const, onSelect: () => void stopBoard(board, onBoard) }]
      : []),
    ...(canKeepAlive(board)
      ? [
          {
            label: kept ? words.endKeepAlive : words.keepAlive,
            icon: "clock" as const,
            onSelect: () => void keepBoardAlive(board, onBoard, kept ? "never" : KEPT_ALIVE),
          },
        ]
      : []),
    ...(canDelete(board)
      ? [
          "separator" as const,
          {
            label: words.delete,
            icon: "trash" as const,
            danger: true,
            onSelect: () => {
              deletion.value = [board];
            },
          },
        ]
      : []),
  ];
}
