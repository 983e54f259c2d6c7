// The only file that calls fetch() and EventSource. URLs are relative to the page, so any path prefix works. The page of
// a snapshot has no server: its requests are answered from the file (api/snapshot/).

import { arrivingFrames } from "../base/frame";
import { takeEarly } from "./early";
import { recordedBlob, recordedKey } from "./snapshot/blobs";
import { snapshot } from "./snapshot/info";
import type {
  ActivityAnswer,
  ActivityQuestion,
  Annotations,
  AudioFacts,
  Board,
  Change,
  Completions,
  ConsoleQuestion,
  ConsoleText,
  CustomScalars,
  CustomScalarsQuestion,
  Descriptions,
  DescriptionsQuestion,
  DistributionsQuestion,
  Embedding,
  Explanation,
  ExportQuestion,
  ExpressionAnswer,
  FilterAnswer,
  GraphList,
  GraphNode,
  Health,
  HistogramsQuestion,
  Hparams,
  HparamsQuestion,
  ImageFacts,
  Importance,
  LayoutQuestion,
  Lines,
  Listing,
  MeshQuestion,
  Nearest,
  NeighborsQuestion,
  PrCurvesQuestion,
  Problem,
  Rows,
  Run,
  Runs,
  RunsQuestion,
  ScalarsQuestion,
  SnapshotQuestion,
  Status,
  StepsQuestion,
  Table,
  TableFileQuestion,
  TablePage,
  TablePageQuestion,
  TableQuestion,
  Tags,
  TagsQuestion,
  TensorsQuestion,
  TextHits,
  TextQuestion,
  TextSearchQuestion,
  Texts,
  TrialsFileQuestion,
  TrialsQuestion,
  ValuesQuestion,
  VideoFacts,
  View,
  Views,
  ViewsQuestion,
} from "./types";

export { type SnapshotInfo, snapshot } from "./snapshot/info";
export type * from "./types";

/** The server responded with an error. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    /** The error, without the hint. */
    message: string,
    /** How to fix it; may be empty. */
    readonly hint: string,
    /** Offset of the error in a filter, in characters; null if the error is not about a filter. */
    readonly position: number | null,
    /** Names the error, for a sentence in the language of the page; empty if there is none. */
    readonly code = "",
    readonly parameters: Explanation["parameters"] = {},
  ) {
    super(message);
  }
}

type Asking = { readonly signal?: AbortSignal | undefined };

/** A snapshot's answers are in a lazy chunk: a board with a server does not load it. */
async function request(address: string, init: RequestInit): Promise<Response> {
  if (snapshot === null) return fetch(`api/${address}`, init);
  return (await import("./snapshot/answers")).answerFrom(address, init);
}

let prepare: () => Promise<void> | null = () => null;

/** Sets what is done before an error of the server is thrown; it returns null if there is nothing to wait for. */
export function beforeErrors(then: () => Promise<void> | null): void {
  prepare = then;
}

async function ask(address: string, init: RequestInit): Promise<Response> {
  const early = init.method === undefined ? takeEarly(address) : null;
  const response = await (early ?? request(address, init));
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => null);
  const ready = prepare();
  if (ready !== null) await ready;
  throw parseFailure(response, body);
}

/** Proxies respond with their own error pages: an error without our JSON shape becomes a message with its status. */
export function parseFailure(response: { status: number; statusText: string }, body: unknown): ApiError {
  const error = (body as { error?: Partial<Problem> } | null)?.error;
  if (typeof error?.message !== "string") {
    return new ApiError(response.status, `${response.status} ${response.statusText}`.trim(), "", null);
  }
  const position = typeof error.position === "number" ? error.position : null;
  const hint = typeof error.hint === "string" ? error.hint : "";
  return new ApiError(response.status, error.message, hint, position, error.code, error.parameters);
}

function get(address: string, { signal }: Asking = {}): Promise<Response> {
  return ask(address, signal === undefined ? {} : { signal });
}

function send(method: string, address: string, question: unknown, { signal }: Asking = {}): Promise<Response> {
  const init = { method, headers: { "content-type": "application/json" }, body: JSON.stringify(question) };
  return ask(address, signal === undefined ? init : { ...init, signal });
}

async function json<T>(response: Promise<Response>): Promise<T> {
  return (await (await response).json()) as T;
}

/**
 * Returns a run's name as a URL path: slashes stay, and a byte that is not UTF-8 (a lone surrogate) is written as that
 * byte.
 */
export function pathOf(run: string): string {
  return [...run]
    .map((one) => {
      const code = one.codePointAt(0) ?? 0;
      if (code >= 0xdc80 && code <= 0xdcff) return `%${(code - 0xdc00).toString(16)}`;
      return one === "/" ? "/" : encodeURIComponent(one);
    })
    .join("");
}

export const fetchBoard = (asking?: Asking) => json<Board>(get("board", asking));
export const fetchHealth = (asking?: Asking) => json<Health>(get("health", asking));
/** Whole lists are requested by GET: index.html starts these requests before the script is loaded. */
const isWhole = (question: object): boolean => Object.keys(question).length === 0;

export const fetchRuns = (question: RunsQuestion = {}, asking?: Asking) =>
  json<Runs>(isWhole(question) ? get("runs", asking) : send("POST", "runs", question, asking));
export const fetchRun = (run: string, asking?: Asking) => json<Run>(get(`runs/${pathOf(run)}`, asking));
export const fetchConsole = (question: ConsoleQuestion, asking?: Asking) =>
  json<ConsoleText>(send("POST", "console", question, asking));
export const fetchTags = (question: TagsQuestion = {}, asking?: Asking) =>
  json<Tags>(isWhole(question) ? get("tags", asking) : send("POST", "tags", question, asking));
export const fetchDescriptions = ({ kind, tag }: DescriptionsQuestion, asking?: Asking) =>
  json<Descriptions>(get(`descriptions?${new URLSearchParams({ kind, tag })}`, asking));
export const fetchCompletions = (filter: string, cursor: number, asking?: Asking) =>
  json<Completions>(get(`complete?${new URLSearchParams({ filter, cursor: String(cursor) })}`, asking));
/** Checks a metric expression; an error has the position of the mistake. */
export const fetchExpression = (text: string, asking?: Asking) =>
  checked(json<ExpressionAnswer>(get(`expression?${new URLSearchParams({ text })}`, asking)));
/** Names of the runs that pass a filter; an error has the position of the mistake. */
export const fetchPassing = async (filter: string, asking?: Asking): Promise<readonly string[]> =>
  (await checked(json<FilterAnswer>(send("POST", "filter", { filter }, asking)))).run;

/**
 * Routes that check a text while it is typed have the mistake in their answer: browsers would show a failed request for
 * every letter on the console.
 */
async function checked<T extends { readonly error?: Problem | null }>(answer: Promise<T>): Promise<T> {
  const found = await answer;
  const { error } = found;
  if (error) {
    const ready = prepare();
    if (ready !== null) await ready;
    throw parseFailure({ status: error.status, statusText: "" }, { error });
  }
  return found;
}
export const fetchTable = (question: TableQuestion, asking?: Asking) =>
  json<Table>(send("POST", "table", question, asking));
/** Values of some runs only, for the page of a run and for the comparison. */
export const fetchRunTable = (run: readonly string[], tag: readonly string[]) => fetchTable({ run, tag });
export const fetchValues = (question: ValuesQuestion, asking?: Asking) =>
  json<Nearest>(send("POST", "values", question, asking));

export const fetchHparams = (question: HparamsQuestion = {}, asking?: Asking) =>
  json<Hparams>(send("POST", "hparams", question, asking));
export const fetchAnnotations = (asking?: Asking) => json<Annotations>(get("annotations", asking));
/** Fields by run; null removes a field. The response has the new annotations of these runs. */
export const sendAnnotations = (runs: Readonly<Record<string, unknown>>) =>
  json<Annotations>(send("POST", "annotations", { runs }));

export const fetchViews = (asking?: Asking) => json<Views>(get("views", asking));
export const saveView = (question: ViewsQuestion) => json<Views>(send("POST", "views", question));
export const reportVisible = (untouched_secs: number) =>
  json<ActivityAnswer>(send("POST", "activity", { untouched_secs } satisfies ActivityQuestion));
export const deleteView = (name: string) => json<View>(send("DELETE", `views/${pathOf(name)}`, {}));

/** A frame whose arrays the chart worker reads; the header's shape is `Lines`. */
export async function fetchScalars(question: ScalarsQuestion, asking?: Asking): Promise<ArrayBuffer> {
  return (await send("POST", "scalars", question, asking)).arrayBuffer();
}

/**
 * Yields the responses to several such questions, in their order, each as soon as it arrives. Runs that all questions
 * share are sent once.
 */
export async function* fetchCharts(questions: readonly ScalarsQuestion[]): AsyncGenerator<ArrayBuffer | ApiError> {
  const { run } = questions[0] ?? {};
  const sameRuns = run !== undefined && questions.every((question) => question.run === run);
  const charts = sameRuns ? questions.map(({ run: _, ...rest }) => rest) : questions;
  const response = await send("POST", "charts", sameRuns ? { charts, shared: { run } } : { charts });
  if (response.body === null) throw new Error("the answer is empty");
  for await (const { status, bytes } of arrivingFrames(response.body)) {
    if (status === 0) yield bytes;
    else yield parseFailure({ status, statusText: "" }, JSON.parse(new TextDecoder().decode(bytes)));
  }
}

/** Returns the header of a scalars frame without reading its arrays. */
export function linesOf(frame: ArrayBuffer): Lines {
  const length = new DataView(frame).getUint32(4, true);
  return JSON.parse(new TextDecoder().decode(new Uint8Array(frame, 8, length))) as Lines;
}

/** The points of heavy series without their values, as a frame; the header's shape is `StepsHeader`. */
export async function fetchSteps(question: StepsQuestion, asking?: Asking): Promise<ArrayBuffer> {
  return (await send("POST", "steps", question, asking)).arrayBuffer();
}

/** Curves at chosen steps, as a frame; the header's shape is `CurvesHeader`. */
export async function fetchPrCurves(question: PrCurvesQuestion, asking?: Asking): Promise<ArrayBuffer> {
  return (await send("POST", "pr_curves", question, asking)).arrayBuffer();
}

/** The layouts that runs have logged, and the tags that their patterns match. */
export const fetchCustomScalars = (question: CustomScalarsQuestion = {}, asking?: Asking) =>
  json<CustomScalars>(send("POST", "custom_scalars", question, asking));

/** The `…Facts` describe an image, a clip or a video. They take the URL of its blob and use the same key. */
const keyIn = (blob: string): string => (snapshot === null ? blob.slice(blob.lastIndexOf("/") + 1) : recordedKey(blob));
export const fetchImageFacts = (blob: string, asking?: Asking) =>
  json<ImageFacts>(get(`images/${keyIn(blob)}`, asking));
export const fetchAudioFacts = (blob: string, asking?: Asking) => json<AudioFacts>(get(`audio/${keyIn(blob)}`, asking));
export const fetchVideoFacts = (blob: string, asking?: Asking) => json<VideoFacts>(get(`video/${keyIn(blob)}`, asking));

/** Returns the bytes of a blob as they were logged, or only its first `first` bytes. */
export async function fetchBlob(blob: string, asking?: Asking, first?: number): Promise<ArrayBuffer> {
  const { signal } = asking ?? {};
  const headers = first === undefined ? undefined : { range: `bytes=0-${first - 1}` };
  const response = await ask(`blobs/${keyIn(blob)}`, {
    ...(signal === undefined ? {} : { signal }),
    ...(headers === undefined ? {} : { headers }),
  });
  return inPieces(response);
}

// building a buffer of a hundred megabytes in one call would block the page
const LARGE_BYTES = 4 << 20;

export async function inPieces(response: Response, large = LARGE_BYTES): Promise<ArrayBuffer> {
  const length = Number(response.headers.get("content-length"));
  if (!(length > large) || response.body === null) return response.arrayBuffer();
  const whole = new Uint8Array(length);
  const reader = response.body.getReader();
  for (let at = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return whole.buffer;
    if (at + value.length > length) throw new Error("more bytes came than were promised");
    whole.set(value, at);
    at += value.length;
  }
}

/** Steps and offsets are strings: they may have more digits than a double can hold. */
export type PointName = {
  readonly run: string;
  readonly tag: string;
  readonly step: string;
  readonly offset: string;
};

/** A mesh with all its parts, as a frame; the header's shape is `MeshHeader`. */
export async function fetchMesh(
  question: PointName & Pick<MeshQuestion, "sample">,
  asking?: Asking,
): Promise<ArrayBuffer> {
  return (await send("POST", "mesh", question, asking)).arrayBuffer();
}

/** The description of a tensor and a part of its values, as a frame; the header's shape is `TensorHeader`. */
export async function fetchTensor(
  question: PointName & Omit<TensorsQuestion, keyof PointName>,
  asking?: Asking,
): Promise<ArrayBuffer> {
  return (await send("POST", "tensors", question, asking)).arrayBuffer();
}

/** Returns the URL of a tensor as a file. */
export function tensorFile({ run, tag, step, offset }: PointName, format: "npy" | "raw", element?: number): string {
  const one = element === undefined ? "" : `&element=${element}`;
  return `api/tensors/file?run=${pathOf(run)}&tag=${pathOf(tag)}&step=${step}&offset=${offset}&format=${format}${one}`;
}

/** Histograms and distributions are requested with the same fields. */
export type SpreadQuestion = HistogramsQuestion & DistributionsQuestion;

/** The logged buckets of several series, as a frame; the header's shape is `HistogramsHeader`. */
export async function fetchHistograms(question: SpreadQuestion, asking?: Asking): Promise<ArrayBuffer> {
  return (await send("POST", "histograms", question, asking)).arrayBuffer();
}

/** Percentiles of several series, as a frame; the header's shape is `DistributionsHeader`. */
export async function fetchDistributions(question: SpreadQuestion, asking?: Asking): Promise<ArrayBuffer> {
  return (await send("POST", "distributions", question, asking)).arrayBuffer();
}

/** Every point of a selection as a file. It is a POST because lists of runs are long. */
export async function fetchExport(question: ExportQuestion): Promise<Blob> {
  return (await send("POST", "export", question)).blob();
}

/** Runs and tags as one HTML file. */
export async function fetchSnapshot(question: SnapshotQuestion, asking?: Asking): Promise<Blob> {
  return (await send("POST", "snapshot", question, asking)).blob();
}

/** Trials with all their columns, as a frame; the header's shape is `TrialsHeader`. */
export async function fetchTrials(question: TrialsQuestion, asking?: Asking): Promise<ArrayBuffer> {
  const asked = isWhole(question) ? get("trials", asking) : send("POST", "trials", question, asking);
  return (await asked).arrayBuffer();
}
export const fetchImportance = (question: TrialsQuestion, asking?: Asking) =>
  json<Importance>(send("POST", "trials/importance", question, asking));
export async function fetchTrialsFile(question: TrialsFileQuestion): Promise<Blob> {
  return (await send("POST", "trials/file", question)).blob();
}

/** Texts of a series, as safe HTML or as they were written. */
export const fetchTexts = (question: TextQuestion, asking?: Asking) =>
  json<Texts>(send("POST", "text", question, asking));
export const searchTexts = (question: TextSearchQuestion, asking?: Asking) =>
  json<TextHits>(send("POST", "text/search", question, asking));

/** Rows of a logged table. */
export const fetchTablePage = (question: TablePageQuestion, asking?: Asking) =>
  json<TablePage>(send("POST", "tables", question, asking));
export async function fetchTableFile(question: TableFileQuestion): Promise<Blob> {
  return (await send("POST", "tables/file", question)).blob();
}

// ---- graphs

export const fetchGraphs = (asking?: Asking) => json<GraphList>(get("graphs", asking));

/** Nodes and edges of a graph, as a frame; the header's shape is `GraphHeader`. */
export async function fetchGraph(run: string, tag: string, asking?: Asking): Promise<ArrayBuffer> {
  return inPieces(await get(`graphs/graph?run=${pathOf(run)}&tag=${pathOf(tag)}`, asking));
}

/** A graph as its header names it; run and tag are empty for an uploaded graph. */
export type GraphName = { readonly key: string; readonly run: string; readonly tag: string };

export const fetchGraphNode = ({ key, run, tag }: GraphName, node: number, asking?: Asking) => {
  const logged = tag === "" ? "" : `&run=${pathOf(run)}&tag=${pathOf(tag)}`;
  return json<GraphNode>(get(`graphs/node?key=${encodeURIComponent(key)}&node=${node}${logged}`, asking));
};

/** Times and memory of the nodes of a graph, as a frame; the header's shape is `GraphStatsHeader`. */
export async function fetchGraphStats(of: GraphName, stats: string, asking?: Asking): Promise<ArrayBuffer> {
  const which = `run=${pathOf(of.run)}&tag=${pathOf(stats)}&key=${encodeURIComponent(of.key)}&graph=${pathOf(of.tag)}`;
  return (await get(`graphs/stats?${which}`, asking)).arrayBuffer();
}

/** Uploads a file of the user; returns the frame of its graph. */
export async function uploadGraph(file: File): Promise<ArrayBuffer> {
  const question = new URLSearchParams({ name: file.name });
  return inPieces(await ask(`graphs/upload?${question}`, { method: "POST", body: file }));
}

// ---- projector

type OfEmbedding = { readonly run: string; readonly name: string };

export const fetchProjector = (asking?: Asking) => json<Listing>(get("projector", asking));

const namesOf = ({ run, name, ...rest }: OfEmbedding & object): string => {
  const others = new URLSearchParams(Object.entries(rest).map(([key, value]) => [key, String(value)])).toString();
  return `run=${pathOf(run)}&name=${pathOf(name)}${others === "" ? "" : `&${others}`}`;
};

/** One embedding. The server counts its rows, which may take long. */
export const fetchEmbedding = (question: OfEmbedding, asking?: Asking) =>
  json<Embedding>(get(`projector/embedding?${namesOf(question)}`, asking));

/** A column of the metadata, as a frame; the header's shape is `ColumnHeader`. */
export async function fetchProjectorColumn(
  question: OfEmbedding & { readonly column: string },
  asking?: Asking,
): Promise<ArrayBuffer> {
  return (await get(`projector/column?${namesOf(question)}`, asking)).arrayBuffer();
}

export const fetchProjectorRows = (question: OfEmbedding & { readonly rows: readonly number[] }, asking?: Asking) =>
  json<Rows>(send("POST", "projector/rows", question, asking));

/** `rows` and `distances` of the nearest neighbors, as a frame. */
export async function fetchNeighbors(question: NeighborsQuestion, asking?: Asking): Promise<ArrayBuffer> {
  return (await send("POST", "projector/neighbors", question, asking)).arrayBuffer();
}

/** `rows` whose cell contains a text or matches a regular expression, as a frame. */
export async function searchRows(
  question: OfEmbedding & { readonly column: string; readonly text: string; readonly regex: boolean },
  asking?: Asking,
): Promise<ArrayBuffer> {
  return (await send("POST", "projector/search", question, asking)).arrayBuffer();
}

export const startLayout = (question: LayoutQuestion, asking?: Asking) =>
  json<Status>(send("POST", "projector/layouts", question, asking));

/**
 * A running layout, as a frame. The server waits a little for a version newer than `since`. The header's shape is
 * `Status`.
 */
export async function fetchLayout(
  id: string,
  { since, wait, axes }: { readonly since: number; readonly wait: number; readonly axes: readonly number[] },
  asking?: Asking,
): Promise<ArrayBuffer> {
  const chosen = axes.map((axis) => `&axes=${axis}`).join("");
  const response = await get(`projector/layouts/${id}?since=${since}&wait=${wait}${chosen}`, asking);
  return inPieces(response);
}
export const steerLayout = (id: string, how: "pause" | "resume" | "perturb" | "stop") =>
  json<Status>(send("POST", `projector/layouts/${id}/${how}`, {}));
export const cancelLayout = (id: string) => send("DELETE", `projector/layouts/${id}`, {});

/** Returns the URL of the metadata as a file. */
export function metadataFile(question: OfEmbedding): string {
  return `data/plugin/projector/metadata?${namesOf(question)}`;
}

/** Uploads vectors, or metadata for vectors uploaded before (`of`). The result can be used as any other embedding. */
export async function uploadEmbedding(file: File, question: { name: string } | { of: string }): Promise<Embedding> {
  return json<Embedding>(ask(`projector/upload?${new URLSearchParams(question)}`, { method: "POST", body: file }));
}

/** The content of the bookmarks file of an embedding, not checked. */
export const fetchBookmarks = (question: OfEmbedding, asking?: Asking) =>
  json<unknown>(get(`projector/bookmarks?${namesOf(question)}`, asking));

/** Fetches a file of the page itself, or a blob of the board, by its URL relative to the page. */
export async function fetchFile(address: string, { signal }: Asking = {}): Promise<Blob> {
  const recorded = snapshot === null ? null : recordedBlob(recordedKey(address));
  if (recorded !== null) return recorded;
  const response = await fetch(address, signal === undefined ? {} : { signal });
  if (!response.ok) throw parseFailure(response, await response.json().catch(() => null));
  return response.blob();
}

export type Listener = {
  readonly onChange: (change: Change) => void;
  readonly onConnection: (open: boolean) => void;
};

// A browser does not reconnect if the stream responds with an error, as a proxy does while the server restarts.
const REOPEN_DELAY_MS = 3000;

/**
 * Listens for changes after the message `since`. The returned function stops listening and returns the last message's
 * id.
 */
export function listen(since: string, listener: Listener): () => string {
  let last = since;
  let source: EventSource;
  let reopening: ReturnType<typeof setTimeout> | undefined;
  const open = (): void => {
    source = new EventSource(last === "" ? "api/events" : `api/events?${new URLSearchParams({ since: last })}`);
    source.addEventListener("change", (event) => {
      last = event.lastEventId;
      listener.onChange(JSON.parse(event.data) as Change);
    });
    source.onopen = () => listener.onConnection(true);
    source.onerror = () => {
      listener.onConnection(false);
      if (source.readyState === EventSource.CLOSED) reopening = setTimeout(open, REOPEN_DELAY_MS);
    };
  };
  open();
  return () => {
    clearTimeout(reopening);
    source.close();
    return last;
  };
}
