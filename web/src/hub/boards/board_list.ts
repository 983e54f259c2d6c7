// The rows of the board list.

import { type BoardsQuery, listBoards } from "../api/boards";
import { askAhead } from "../api/client";
import type { Board } from "../api/types";
import { listenTo } from "../live";
import { FIRST_PAGE, type Load, RowList } from "../parts/row_list";

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

function moves(old: Board, now: Board, query: BoardsQuery): boolean {
  const member = SORT_MEMBERS[(query.sort ?? "").replace("-", "")];
  const moved = member !== undefined && member(old) !== member(now);
  return moved || ((query.state ?? "") !== "" && old.state !== now.state);
}

export class BoardList extends RowList<Board, BoardsQuery> {
  constructor(load: Load<Board, BoardsQuery> = listBoards) {
    super(load, moves);
  }

  /** Listens to changes. Returns a stop function. */
  follow(): () => void {
    const stop = listenTo("board", {
      onChanged: (board) => this.apply(board),
      onRemoved: (id) => this.drop(id),
      onResync: () => this.refresh(),
    });
    return () => {
      stop();
      this.close();
    };
  }
}
