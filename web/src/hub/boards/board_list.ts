// The rows of the board list: loaded page by page as the user scrolls, kept up to date by the stream of changes. The
// order is the hub's; a change that may move a row loads the loaded part again.

import { batch, computed, signal } from "@preact/signals";
import { paced } from "../../base/newest";
import { type BoardsQuery, listBoards } from "../api/boards";
import { askAhead } from "../api/client";
import type { Board } from "../api/types";
import { listen } from "./live";

const FIRST_PAGE = 50;
const NEXT_PAGES = 500;
const REFRESH_GAP_MS = 1000;

/** Sorts by which a change of this member moves a row. */
const SORT_MEMBERS: Readonly<Record<string, (board: Board) => unknown>> = {
  last_activity: (board) => board.last_activity,
  name: (board) => board.name,
  state: (board) => board.state,
  owner: (board) => board.owner,
  workspace: (board) => board.workspace,
};

/** The query of the hub for the filters of the address; `user` is the name of the asking user. */
export function queryOf(filters: Readonly<Record<string, string>>, user: string): BoardsQuery {
  const { q = "", state = "", workspace = "", mine = "", sort = "" } = filters;
  return {
    q: q.trim(),
    state: state === "active" ? ACTIVE_STATES : state,
    workspace,
    owner: mine === "" ? "" : user,
    sort: sort === "" ? "-created" : sort,
  };
}

const ACTIVE_STATES = "Pending,Starting,Running,Idle,Stopping";

export function firstQuery(filters: Readonly<Record<string, string>>): BoardsQuery {
  return { ...queryOf(filters, ""), limit: FIRST_PAGE };
}

/** Requests the first rows of an address while the rest of the page is still being prepared. */
export function askForRowsAhead(filters: Readonly<Record<string, string>>): void {
  // who asks is not known yet
  if ((filters.mine ?? "") === "") askAhead("boards", firstQuery(filters));
}

type Load = typeof listBoards;

export class BoardList {
  readonly rows = signal<readonly Board[]>([]);
  /** Boards that match, loaded or not; null until the first answer. */
  readonly total = signal<number | null>(null);
  /** Of the last request; null if it succeeded. */
  readonly error = signal<unknown>(null);
  /** Counts queries: another one is shown from its beginning. */
  readonly shows = signal(0);
  readonly selected = signal<ReadonlySet<string>>(new Set());
  readonly selectedBoards = computed(() => this.rows.value.filter(({ id }) => this.selected.value.has(id)));

  #query: BoardsQuery = {};
  #token = "";
  #complete = false;
  #wanted = 0;
  #loading = false;
  #run = new AbortController();
  /** The first rows of the current query. */
  #shown: Promise<void> = Promise.resolve();
  #refreshSoon: () => void;

  constructor(readonly load: Load = listBoards) {
    // rows that are on their way are shown first, even if they are old already
    this.#refreshSoon = paced(() => this.#shown.then(() => this.#refresh()), REFRESH_GAP_MS, 4);
  }

  /** Listens to changes. Returns a stop function. */
  follow(): () => void {
    const stop = listen({
      onBoard: (board) => this.apply(board),
      onRemoved: (id) => this.drop(id),
      onResync: () => this.#refreshSoon(),
    });
    return () => {
      stop();
      this.#run.abort();
    };
  }

  /** Shows the boards of another query, from its beginning. The old rows stay until the new ones are there. */
  show(query: BoardsQuery): void {
    this.#query = query;
    this.#wanted = FIRST_PAGE;
    this.selected.value = new Set();
    this.shows.value += 1;
    this.#shown = this.#refresh();
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

  /** A board as the hub reports it now. */
  apply(board: Board): void {
    const rows = this.rows.peek();
    const at = rows.findIndex(({ id }) => id === board.id);
    const old = rows[at];
    if (old === undefined) {
      this.#refreshSoon();
      return;
    }
    this.rows.value = rows.map((row) => (row === old ? board : row));
    const member = SORT_MEMBERS[(this.#query.sort ?? "").replace("-", "")];
    const moved = member !== undefined && member(board) !== member(old);
    const filtered = (this.#query.state ?? "") !== "" && old.state !== board.state;
    if (moved || filtered) this.#refreshSoon();
  }

  drop(id: string): void {
    const rows = this.rows.peek();
    if (!rows.some((board) => board.id === id)) return;
    batch(() => {
      this.rows.value = rows.filter((board) => board.id !== id);
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

  /** Loads the first rows again, as many as there are, and then replaces all of them at once. */
  async #refresh(): Promise<void> {
    this.#run.abort();
    const run = new AbortController();
    this.#run = run;
    this.#loading = true;
    const count = Math.max(FIRST_PAGE, Math.min(this.rows.peek().length, this.#wanted));
    try {
      const rows: Board[] = [];
      let token = "";
      let total = 0;
      do {
        const limit = Math.min(rows.length === 0 ? Math.max(FIRST_PAGE, Math.min(count, 1000)) : NEXT_PAGES, 1000);
        const page = await this.load({ ...this.#query, limit, page_token: token }, run.signal);
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
        const query = { ...this.#query, limit: NEXT_PAGES, page_token: this.#token };
        const page = await this.load(query, run.signal);
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

/** A board that moved between two pages comes twice. */
function unique(boards: readonly Board[]): readonly Board[] {
  const seen = new Set<string>();
  return boards.filter(({ id }) => !seen.has(id) && seen.add(id));
}
