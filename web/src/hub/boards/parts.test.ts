// Pure parts of the pages of boards: what settings send, what is pasted into a share, sentences of events, who is offered
// to be stopped.

import { expect, test } from "vitest";
import { HubError } from "../api/client";
import type { Board } from "../api/types";
import { chooseLanguageFor } from "../preferences";
import { pausesAt } from "./board_row";
import { eventText } from "./events_tab";
import { stoppableIn } from "./limit_dialog";
import { changeOf } from "./settings_tab";
import { viewOf } from "./sharing_tab";

const DRAFT = {
  name: "mine",
  sources: [{ uri: "s3://a", prefix: "", secret: "" }],
  visibility: "private",
  times: { idle_after: 3600, reclaim_after: null, max_runtime: null },
  wake: true,
} as const;

test("settings send only what differs", () => {
  expect(changeOf(DRAFT, DRAFT)).toEqual({});
  expect(changeOf(DRAFT, { ...DRAFT, name: " mine ", sources: [{ uri: " s3://a ", prefix: "", secret: "" }] })).toEqual(
    {},
  );
  const times = { idle_after: null, reclaim_after: 0, max_runtime: 60 };
  expect(changeOf(DRAFT, { ...DRAFT, times })).toEqual({
    idle_after: null,
    reclaim_after: "never",
    max_runtime: "60s",
  });
});

test("a board becomes public only with the answer to the second question", () => {
  expect(changeOf(DRAFT, { ...DRAFT, visibility: "public" })).toEqual({ visibility: "public", confirm_public: true });
  expect(changeOf({ ...DRAFT, visibility: "public" }, { ...DRAFT, visibility: "public", name: "x" })).toEqual({
    name: "x",
  });
});

test("a view is what follows # in a pasted link", () => {
  expect(viewOf(" http://hub/boards/b/#timeseries?smoothing=0.6 ")).toBe("timeseries?smoothing=0.6");
  expect(viewOf("#runs")).toBe("runs");
  expect(viewOf("timeseries?tagFilter=loss")).toBe("timeseries?tagFilter=loss");
  expect(viewOf("http://hub/boards/b/")).toBe("");
});

test("events are sentences with actor and reason", () => {
  chooseLanguageFor("en");
  const event = { time: "", actor: "ann", reason: "", message: "" };
  expect(eventText({ ...event, kind: "Created" })).toBe("ann created the board");
  expect(eventText({ ...event, kind: "Stopped", actor: "hub", reason: "IdleReclaimed" })).toBe(
    "The board has stopped: not used",
  );
  expect(eventText({ ...event, kind: "Changed", message: "name, visibility" })).toBe(
    "ann changed the name, who may see it",
  );
  expect(eventText({ ...event, kind: "Teleported", reason: "Odd" })).toBe("Teleported · ann · Odd");
});

test("the board that was unused for longest is offered first", () => {
  const boards = [
    { id: "new", last_activity: "2026-11-18T06:00:00Z" },
    { id: "old", last_activity: "2026-11-17T06:00:00Z" },
    { id: "never", last_activity: null },
  ];
  const error = new HubError(403, "TensorboardLimitExceeded", "full", "", { boards });
  expect(stoppableIn(error).map(({ id }) => id)).toEqual(["never", "old", "new"]);
  expect(stoppableIn(new HubError(403, "TensorboardLimitExceeded", "full"))).toEqual([]);
});

test("a board pauses at the earlier of its two deadlines", () => {
  const at = (reclaim_at: string | null, runtime_ends_at: string | null): string | null =>
    pausesAt({ reclaim_at, runtime_ends_at } as Board);
  expect(at("2026-11-18T06:00:00Z", "2026-11-18T05:00:00Z")).toBe("2026-11-18T05:00:00Z");
  expect(at(null, "2026-11-18T05:00:00Z")).toBe("2026-11-18T05:00:00Z");
  expect(at(null, null)).toBe(null);
});
