// What the server answers, parsed at the edge: inside the page these types can be trusted.
// An absent field gets a harmless value; a wrong type at the root is an error the page shows.

export type Board = {
  readonly name: string;
  readonly logdir: string;
  readonly progress: Progress;
  /** Files and records that could not be read. */
  readonly faults: number;
};

export type Progress = { readonly done: boolean; readonly filesRead: number; readonly filesTotal: number };

export type Run = {
  readonly name: string;
  /** Seconds since 1970, or null while nothing has been read. */
  readonly startTime: number | null;
  /** "running", "idle", "finished", "empty" or "crashed". */
  readonly state: string;
};

export type Tag = { readonly name: string /** How many runs have it. */; readonly runs: number };

export type Kind = { readonly name: string; readonly tags: readonly Tag[] };

type Fields = Readonly<Record<string, unknown>>;

function fields(value: unknown, what: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`unexpected answer: ${what}`);
  return value as Fields;
}

function column(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error(`unexpected answer: ${what}`);
  return value;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function count(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

export function parseBoard(value: unknown): Board {
  const board = fields(value, "board");
  const progress = fields(board.progress ?? {}, "progress");
  return {
    name: text(board.name),
    logdir: text(board.logdir),
    progress: {
      done: progress.done !== false,
      filesRead: count(progress.files_read),
      filesTotal: count(progress.files_total),
    },
    faults: count(board.faults),
  };
}

/** Runs come as parallel columns. */
export function parseRuns(value: unknown): readonly Run[] {
  const answer = fields(value, "runs");
  const starts = column(answer.start_time, "runs");
  const states = column(answer.state, "runs");
  return column(answer.name, "runs").map((name, i) => {
    const start = starts[i];
    return { name: text(name), startTime: typeof start === "number" ? start : null, state: text(states[i]) };
  });
}

/** Tags come per kind, as parallel columns. Kinds without tags are left out. */
export function parseTags(value: unknown): readonly Kind[] {
  const kinds = Object.entries(fields(fields(value, "tags").kinds, "tags")).map(([name, columns]) => {
    const { tag, runs } = fields(columns, name);
    const counts = column(runs, name);
    return { name, tags: column(tag, name).map((tag, i) => ({ name: text(tag), runs: count(counts[i]) })) };
  });
  return kinds.filter((kind) => kind.tags.length > 0);
}

/** What an error answer says: the message, and the hint where there is one. */
export function parseReason(value: unknown): string | null {
  if (typeof value !== "object" || value === null) return null;
  const { error } = value as Fields;
  if (typeof error !== "object" || error === null) return null;
  const { message, hint } = error as Fields;
  return [text(message), text(hint)].filter((part) => part !== "").join(" · ") || null;
}
