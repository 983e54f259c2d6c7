// What the server answers, parsed at the edge: inside the page these types can be trusted.
// An absent field gets a harmless value; a wrong type at the root is an error the page shows.

export type Board = {
  readonly title: string;
  readonly logdirs: readonly string[];
};

export type Run = {
  readonly name: string;
  /** Seconds since 1970, or null while nothing has been read. */
  readonly startTime: number | null;
  readonly state: string;
};

export type Runs = { readonly version: number; readonly runs: readonly Run[] };

/** Number of runs that have a tag, by kind and tag. */
export type Tags = { readonly version: number; readonly kinds: ReadonlyMap<string, ReadonlyMap<string, number>> };

type Fields = Readonly<Record<string, unknown>>;

function fields(value: unknown, what: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`unexpected answer: ${what}`);
  return value as Fields;
}

function text(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}

function count(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

export function parseBoard(value: unknown): Board {
  const board = fields(value, "board");
  const places = board.logdirs ?? board.logdir;
  return {
    title: text(board.title ?? board.window_title, ""),
    logdirs: (Array.isArray(places) ? places : [places]).filter((place) => typeof place === "string"),
  };
}

export function parseRuns(value: unknown): Runs {
  const answer = fields(value, "runs");
  if (!Array.isArray(answer.runs)) throw new Error("unexpected answer: runs");
  const runs = answer.runs.map((item: unknown): Run => {
    const run = fields(item, "run");
    const start = run.start_time;
    return {
      name: text(run.name, ""),
      startTime: typeof start === "number" ? start : null,
      state: text(run.state, ""),
    };
  });
  return { version: count(answer.version), runs };
}

export function parseTags(value: unknown): Tags {
  const answer = fields(value, "tags");
  const kinds = new Map<string, ReadonlyMap<string, number>>();
  for (const [kind, tags] of Object.entries(fields(answer.kinds, "tags"))) {
    kinds.set(kind, new Map(Object.entries(fields(tags, kind)).map(([tag, runs]) => [tag, count(runs)])));
  }
  return { version: count(answer.version), kinds };
}

/** The reason an error answer gives, in the server's one JSON shape. */
export function parseReason(value: unknown): string | null {
  if (typeof value !== "object" || value === null) return null;
  const { error, message, detail } = value as Fields;
  for (const candidate of [error, message, detail]) {
    if (typeof candidate === "string") return candidate;
    const nested = parseReason(candidate);
    if (nested !== null) return nested;
  }
  return null;
}
