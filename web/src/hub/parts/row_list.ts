// The rows of a list (boards, jobs, uploads): loaded page by page as the user scrolls, kept up to date by the stream of
// changes. The order is the hub's; a change that may move a row loads the loaded part again.

import { batch, computed, signal } from "@preact/signals";
import { paced } from "../../base/newest";
import type { Page } from "../api/types";

export const FIRST_PAGE = 50;
const NEXT_PAGES = 500;
const REFRESH_GAP_MS = 1000;

export type Thing = { readonly id: string };

export type PageQuery = {
  readonly sort?: string;
  readonly limit?: number;
  readonly page_token?: string;
};

export type Load<T, Q> = (query: Q, signal?: AbortSignal) => Promise<Page<T> & { readonly total: number }>;

/** Whether a change of a row may move it, or take it out of the list. */
export type Moves<T, Q> = (old: T, now: T, query: Q) => boolean;

export class RowList<T extends Thing, Q extends PageQuery> {
  readonly rows = signal<readonly T[]>([]);
  /** Things that match, loaded or not; null until the first answer. */
  readonly total = signal<number | null>(null);
  /** Of the last request; null if it succeeded. */
  readonly error = signal<unknown>(null);
  /** Counts queries: another one is shown from its beginning. */
  readonly shows = signal(0);
  readonly selected = signal<ReadonlySet<string>>(new Set());
  readonly selectedRows = computed(() => this.rows.value.filter(({ id }) => this.selected.value.has(id)));

  #query: Q | null = null;
  #token = "";
  #complete = false;
  #wanted = 0;
  #loading = false;
  #run = new AbortController();
  /** The first rows of the current query. */
  #shown: Promise<void> = Promise.resolve();
  #refreshSoon: () => void;

  constructor(
    readonly load: Load<T, Q>,
    readonly moves: Moves<T, Q>,
  ) {
    // rows that are on their way are shown first, even if they are old already
    this.#refreshSoon = paced(() => this.#shown.then(() => this.#refresh()), REFRESH_GAP_MS, 4);
  }

  /** Ends requests. */
  close(): void {
    this.#run.abort();
  }

  /** Shows the rows of another query, from its beginning. The old ones stay until the new ones are there. */
  show(query: Q): void {
    this.#query = query;
    this.#wanted = FIRST_PAGE;
    this.selected.value = new Set();
    this.shows.value += 1;
    this.#shown = this.#refresh();
  }

  /** Loads the loaded rows again, not more often than once a second. */
  refresh(): void {
    if (this.#query !== null) this.#refreshSoon();
  }

  retry(): void {
    this.error.value = null;
    void (this.rows.peek().length === 0 ? this.#refresh() : this.#more());
  }

  /** Loads at least this many rows, if there are so many. */
  want(count: number): void {
    this.#wanted = Math.max(this.#wanted, count);
    if (this.error.peek() === null) void this.#more();
  }

  async wantAll(): Promise<void> {
    this.#wanted = Number.MAX_SAFE_INTEGER;
    await this.#more();
  }

  /** A row as the hub reports it now. */
  apply(thing: T): void {
    const rows = this.rows.peek();
    const old = rows.find(({ id }) => id === thing.id);
    if (old === undefined) {
      this.refresh();
      return;
    }
    this.rows.value = rows.map((row) => (row === old ? thing : row));
    if (this.#query !== null && this.moves(old, thing, this.#query)) this.refresh();
  }

  drop(gone: string): void {
    const rows = this.rows.peek();
    if (!rows.some(({ id }) => id === gone)) return;
    batch(() => {
      this.rows.value = rows.filter(({ id }) => id !== gone);
      if (this.total.peek() !== null) this.total.value = (this.total.peek() ?? 1) - 1;
      this.#keepSelected();
    });
  }

  // ---- selection

  toggle(id: string): void {
    const next = new Set(this.selected.peek());
    if (!next.delete(id)) next.add(id);
    this.selected.value = next;
  }

  /** Selects the rows between two, both included. */
  selectRange(from: number, to: number): void {
    const [first, last] = from < to ? [from, to] : [to, from];
    const ids = this.rows
      .peek()
      .slice(first, last + 1)
      .map(({ id }) => id);
    this.selected.value = new Set([...this.selected.peek(), ...ids]);
  }

  selectAll(): void {
    this.selected.value = new Set(this.rows.peek().map(({ id }) => id));
  }

  clearSelection(): void {
    this.selected.value = new Set();
  }

  #keepSelected(): void {
    const ids = new Set(this.rows.value.map(({ id }) => id));
    const kept = [...this.selected.peek()].filter((id) => ids.has(id));
    if (kept.length !== this.selected.peek().size) this.selected.value = new Set(kept);
  }

  // ---- loading

  #page(limit: number, page_token: string, signal: AbortSignal): ReturnType<Load<T, Q>> {
    return this.load({ ...(this.#query as Q), limit, page_token }, signal);
  }

  /** Loads the first rows again, as many as there are, and then replaces all of them at once. */
  async #refresh(): Promise<void> {
    this.#run.abort();
    const run = new AbortController();
    this.#run = run;
    this.#loading = true;
    const count = Math.max(FIRST_PAGE, Math.min(this.rows.peek().length, this.#wanted));
    try {
      const rows: T[] = [];
      let token = "";
      let total = 0;
      do {
        const limit = Math.min(rows.length === 0 ? Math.max(FIRST_PAGE, Math.min(count, 1000)) : NEXT_PAGES, 1000);
        const page = await this.#page(limit, token, run.signal);
        rows.push(...page.items);
        token = page.next_page_token;
        total = page.total;
      } while (token !== "" && rows.length < count);
      if (run.signal.aborted) return;
      this.#loading = false;
      batch(() => {
        this.rows.value = unique(rows);
        this.#token = token;
        this.#complete = token === "";
        this.total.value = total;
        this.error.value = null;
        this.#keepSelected();
      });
      void this.#more();
    } catch (error) {
      this.#fail(run, error);
    }
  }

  /** Loads pages until the wanted rows are there. */
  async #more(): Promise<void> {
    if (this.#loading || this.total.peek() === null) return;
    const run = this.#run;
    this.#loading = true;
    try {
      while (!this.#complete && this.rows.peek().length < this.#wanted) {
        const page = await this.#page(NEXT_PAGES, this.#token, run.signal);
        if (run.signal.aborted) return;
        batch(() => {
          this.rows.value = unique([...this.rows.peek(), ...page.items]);
          this.#token = page.next_page_token;
          this.#complete = page.next_page_token === "";
          this.total.value = page.total;
          this.error.value = null;
        });
      }
      this.#loading = false;
    } catch (error) {
      this.#fail(run, error);
    }
  }

  #fail(run: AbortController, error: unknown): void {
    if (run.signal.aborted) return;
    this.#loading = false;
    this.error.value = error;
  }
}

/** A thing that moved between two pages comes twice. */
function unique<T extends Thing>(things: readonly T[]): readonly T[] {
  const seen = new Set<string>();
  return things.filter(({ id }) => !seen.has(id) && seen.add(id));
}
