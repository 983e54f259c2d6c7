// Answers the requests of a snapshot's page from the blocks of its file, in the form of the server's responses.
// src/lightboard/snapshot/recording.py writes the blocks.

import { decodeFrame, type Frame } from "../../base/frame";
import type {
  Cells,
  DescriptionsQuestion,
  FilterAnswer,
  FilterQuestion,
  RunsQuestion,
  ScalarsQuestion,
  StepsQuestion,
  TableQuestion,
  TagColumns,
  Tags,
  TagsQuestion,
  TextQuestion,
  TextStep,
  ValuesQuestion,
} from "../types";
import { recordedBlob } from "./blobs";
import { blockOf } from "./blocks";
import { chartOf, NotRecorded, nearestOf, type RecordedTable, rangeOf, rowsOf } from "./charts";
import { decodeLines, type TagLines } from "./lines";

type TagNumbers = Readonly<Record<string, number>>;

/** The JSON of the block `answers`. Numbers of tags name their blocks: `scalars:3`. */
type Recorded = {
  readonly board: { readonly version: number };
  readonly runs: Readonly<Record<string, unknown>> & { readonly name: readonly string[] };
  readonly tags: Tags;
  /** For each tag of a kind the positions of the runs that have it; null: all. */
  readonly runs_of_tags: Readonly<Record<string, Readonly<Record<string, readonly number[] | null>>>>;
  readonly annotations: unknown;
  readonly views: unknown;
  readonly hparams: unknown;
  readonly run: Readonly<Record<string, unknown>>;
  readonly descriptions: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Names of runs that pass a filter, by its text. */
  readonly filters: Readonly<Record<string, readonly string[]>>;
  readonly table?: RecordedTable;
  readonly scalars?: TagNumbers;
  /** What the blocks of bands were asked with, `bands:3` is that of the tag 3; absent if the view has no bands. */
  readonly bands?: Pick<ScalarsQuestion, "group" | "band" | "x" | "smoothing">;
  readonly histograms?: TagNumbers;
  readonly distributions?: TagNumbers;
  /** By form, tag and run; the position in the list is the index of the text in the series. */
  readonly texts?: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, readonly TextStep[]>>>>>>;
  /** Facts of images by key. */
  readonly images?: Readonly<Record<string, unknown>>;
};

type Held = { readonly recorded: Recorded; readonly arrays: Frame<unknown>["arrays"] };

type Asked = {
  /** What follows the route in the address. */
  readonly rest: string;
  readonly query: URLSearchParams;
  readonly body: never;
};

type Route = (held: Held, asked: Asked) => unknown;

async function held(): Promise<Held> {
  const { header, arrays } = decodeFrame<{ readonly answers: Recorded }>(await blockOf("answers"));
  return { recorded: header.answers, arrays };
}

let first: Promise<Held> | null = null;

/** Responds as the server would to a request for an address below api/. */
export async function answerFrom(address: string, init: RequestInit): Promise<Response> {
  try {
    first ??= held();
    const answer = await routed(await first, address, init);
    return answer instanceof ArrayBuffer || answer instanceof Blob
      ? new Response(answer)
      : new Response(JSON.stringify(answer), { headers: { "content-type": "application/json" } });
  } catch (error) {
    if (!(error instanceof NotRecorded)) throw error;
    const { message, hint } = error;
    return new Response(JSON.stringify({ error: { message, hint, status: 501 } }), { status: 501 });
  }
}

function routed(held: Held, address: string, { method = "GET", body }: RequestInit): unknown {
  const [path = "", query = ""] = address.split(/\?(.*)/s);
  const [word = "", rest = ""] = path.split(/\/(.*)/s);
  const changes = (method !== "GET" && method !== "POST") || (method === "POST" && CHANGING.has(word));
  const route = ROUTES[path] ?? ROUTES[`${word}/`];
  if (changes || route === undefined) throw new NotRecorded("This is not in the snapshot.");
  const question = typeof body === "string" ? (JSON.parse(body) as never) : ({} as never);
  return route(held, { rest, query: new URLSearchParams(query), body: question });
}

/** A POST to these changes the board. */
const CHANGING: ReadonlySet<string> = new Set(["annotations", "views"]);

const ROUTES: Readonly<Record<string, Route>> = {
  board: ({ recorded }) => recorded.board,
  annotations: ({ recorded }) => recorded.annotations,
  views: ({ recorded }) => recorded.views,
  hparams: ({ recorded }) => recorded.hparams,
  complete: () => ({ words: [] }),
  custom_scalars: ({ recorded }) => ({ version: recorded.board.version, runs: [], categories: [], matches: [] }),
  runs: ({ recorded }, { body }) => runsFor(recorded, body),
  filter: ({ recorded }, { body }) => filterFor(recorded, body),
  "runs/": ({ recorded }, { rest }) => runNamed(recorded, rest),
  tags: ({ recorded }, { body }) => tagsFor(recorded, body),
  descriptions: ({ recorded }, { query }) => descriptionsFor(recorded, query),
  table: ({ recorded }, { body }) => tableFor(recorded, body),
  values: ({ recorded }, { body }) => valuesFor(recorded, body),
  scalars: ({ recorded }, { body }) => scalarsFor(recorded, body),
  charts: ({ recorded }, { body }) => chartsFor(recorded, body),
  trials: (held, { body }) => frameFor(held, Object.keys(body).length === 0 ? "trials" : ""),
  steps: (held, { body }) => frameFor(held, `steps:${(body as StepsQuestion).kind}`),
  histograms: ({ recorded }, { body }) => spreadFor("histograms", recorded.histograms, body),
  distributions: ({ recorded }, { body }) => spreadFor("distributions", recorded.distributions, body),
  text: ({ recorded }, { body }) => textsFor(recorded, body),
  "images/": ({ recorded }, { rest }) => recorded.images?.[rest] ?? missing("image"),
  "blobs/": (_, { rest }) => recordedBlob(rest) ?? missing("image"),
};

function missing(what: string): never {
  throw new NotRecorded(`This ${what} is not in the snapshot.`);
}

// ---- runs and tags

function runsFor({ runs }: Recorded, { filter = "" }: RunsQuestion): unknown {
  if (filter !== "") throw new NotRecorded("This filter is not in the snapshot.");
  return runs;
}

function filterFor({ filters }: Recorded, { filter }: FilterQuestion): FilterAnswer {
  const run = filters[filter];
  if (run === undefined) {
    throw new NotRecorded("A snapshot cannot evaluate this filter.", "Use words or a regular expression.");
  }
  return { run, error: null };
}

/** A byte that is not UTF-8 is a lone surrogate in the name. */
function runNamed({ run }: Recorded, address: string): unknown {
  const name = address.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes.replace(/%(..)/g, (_, byte: string) => String.fromCharCode(0xdc00 + Number.parseInt(byte, 16)));
    }
  });
  return run[name] ?? missing("run");
}

function tagsFor(recorded: Recorded, { run }: TagsQuestion): Tags {
  const { tags, runs, runs_of_tags } = recorded;
  if (run === undefined || run === null) return tags;
  const wanted = new Set(run);
  const drawn = new Set([...runs.name.keys()].filter((row) => wanted.has(runs.name[row] ?? "")));
  const kinds = Object.entries(tags.kinds).map(([kind, columns]): [string, TagColumns] => {
    const counts = columns.tag.map((tag) => {
      const having = runs_of_tags[kind]?.[tag];
      return having === null ? drawn.size : (having ?? []).filter((row) => drawn.has(row)).length;
    });
    const keep = [...columns.tag.keys()].filter((i) => (counts[i] ?? 0) > 0);
    return [kind, { ...columns, tag: keep.map((i) => columns.tag[i] ?? ""), runs: keep.map((i) => counts[i] ?? 0) }];
  });
  return { ...tags, kinds: Object.fromEntries(kinds.filter(([, { tag }]) => tag.length > 0)) };
}

function descriptionsFor({ descriptions }: Recorded, query: URLSearchParams): unknown {
  const { kind, tag } = Object.fromEntries(query) as Partial<DescriptionsQuestion>;
  return descriptions[kind ?? ""]?.[tag ?? ""] ?? { said: [] };
}

// ---- scalars

const decoded = new Map<number, Promise<TagLines>>();

/** Tags that the snapshot does not have are left out, unless none is left. */
function linesFor({ scalars = {} }: Recorded, tags: readonly string[]): Promise<readonly TagLines[]> {
  if (tags.length > 0 && tags.every((tag) => scalars[tag] === undefined)) missing("chart");
  const found = tags.flatMap((tag) => {
    const number = scalars[tag];
    if (number === undefined) return [];
    const lines = decoded.get(number) ?? blockOf(`scalars:${number}`).then(decodeLines);
    decoded.set(number, lines);
    return [lines];
  });
  return Promise.all(found);
}

async function scalarsFor(recorded: Recorded, question: ScalarsQuestion): Promise<ArrayBuffer> {
  if ((question.group ?? "") !== "") return bandsFor(recorded, question);
  return chartOf(question, await linesFor(recorded, question.tag), recorded.board.version);
}

/** Bands are recorded for all runs and the settings of the view. */
async function bandsFor(recorded: Recorded, question: ScalarsQuestion): Promise<ArrayBuffer> {
  const { bands, scalars = {} } = recorded;
  const { tag, run, group, band = "std", x = "step", smoothing = "" } = question;
  const number = scalars[tag[0] ?? ""];
  const same = bands?.group === group && bands?.band === band && bands?.x === x && bands?.smoothing === smoothing;
  const whole = run === undefined || run === null || run.length === recorded.runs.name.length;
  if (same && whole && tag.length === 1 && number !== undefined) return (await blockOf(`bands:${number}`)).slice(0);
  const hint = "Show all runs with the settings of the first view, or take a snapshot of this view.";
  throw new NotRecorded("These bands are not in the snapshot.", hint);
}

async function valuesFor(recorded: Recorded, question: ValuesQuestion): Promise<unknown> {
  return nearestOf(question, await linesFor(recorded, question.tag), recorded.board.version);
}

type ChartsBody = { readonly charts: readonly ScalarsQuestion[]; readonly shared?: Partial<ScalarsQuestion> };

/** Several frames as one, see src/lightboard/server/frames.py. */
async function chartsFor(recorded: Recorded, { charts, shared }: ChartsBody): Promise<Blob> {
  const frames = await Promise.all(charts.map((chart) => scalarsFor(recorded, { ...shared, ...chart })));
  const parts = frames.flatMap((frame) => [
    new Uint32Array([frame.byteLength, 0]),
    frame,
    new Uint8Array((8 - (frame.byteLength % 8)) % 8),
  ]);
  return new Blob(["LBS2", new Uint32Array([frames.length]), ...parts]);
}

async function tableFor(recorded: Recorded, question: TableQuestion): Promise<unknown> {
  const { table = { run: [], tags: {} } } = recorded;
  const rows = rowsOf(question, table);
  const { offset = 0, limit } = question;
  const shown = rows.slice(offset, limit === undefined || limit === null ? undefined : offset + limit);
  const run = shown.map((row) => table.run[row] ?? "");
  const cut = (cells: Cells): unknown =>
    Object.fromEntries(Object.entries(cells).map(([name, column]) => [name, shown.map((row) => column[row] ?? null)]));
  const tags = question.tag.flatMap((tag) => {
    const cells = table.tags[tag];
    return cells === undefined ? [] : [[tag, cut(cells)]];
  });
  const bounded = (question.lo ?? null) !== null || (question.hi ?? null) !== null;
  const lines = bounded ? await linesFor(recorded, question.tag) : [];
  const range = Object.fromEntries(lines.map((of) => [of.tag, rangeOf(question, of, run)]));
  return { version: recorded.board.version, total: rows.length, run, tags: Object.fromEntries(tags), range };
}

// ---- other kinds

function frameFor({ arrays }: Held, name: string): ArrayBuffer {
  const bytes = arrays.get(name) as Uint8Array<ArrayBuffer> | undefined;
  if (bytes === undefined) throw new NotRecorded("This choice is not in the snapshot.");
  return bytes.slice().buffer;
}

/** The blocks have one tag each. A page whose question about several tags is refused asks for each alone. */
function spreadFor(
  kind: string,
  numbers: TagNumbers | undefined,
  { tag }: { readonly tag: readonly string[] },
): Promise<ArrayBuffer> {
  const number = numbers?.[tag[0] ?? ""];
  if (tag.length !== 1 || number === undefined) throw new NotRecorded("These histograms are not in the snapshot.");
  return blockOf(`${kind}:${number}`).then((frame) => frame.slice(0));
}

function textsFor({ texts }: Recorded, question: TextQuestion): unknown {
  const { run, tag, at = [], form = "markdown" } = question;
  const all = texts?.[form]?.[tag]?.[run] ?? [];
  const shown = at.length > 0 ? at.flatMap((place) => all[place] ?? []) : [...all].reverse();
  return { points: all.length, texts: shown };
}
