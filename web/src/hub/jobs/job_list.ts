// The rows of the job list.

import { type Job, type JobsQuery, listJobs } from "../api/jobs";
import { listenTo } from "../live";
import { type Load, RowList } from "../parts/row_list";

/** Sorts by which a change of this member moves a row. */
const SORT_MEMBERS: Readonly<Record<string, (job: Job) => unknown>> = {
  name: (job) => job.name,
  state: (job) => job.state,
  user: (job) => job.user,
  workspace: (job) => job.workspace,
};

const STATES: Readonly<Record<string, string>> = {
  active: "Running,Stopping,Lost",
  ended: "Succeeded,Failed,Stopped",
};

/** The query of the hub for the filters of the address; `user` is the name of the asking user. */
export function queryOf(filters: Readonly<Record<string, string>>, user: string): JobsQuery {
  const { q = "", state = "", workspace = "", mine = "", label = "", sort = "" } = filters;
  return {
    q: q.trim(),
    state: STATES[state] ?? state,
    workspace,
    user: mine === "" ? "" : user,
    label,
    sort: sort === "" ? "-created" : sort,
  };
}

function moves(old: Job, now: Job, query: JobsQuery): boolean {
  const member = SORT_MEMBERS[(query.sort ?? "").replace("-", "")];
  const moved = member !== undefined && member(old) !== member(now);
  const filtered = (query.state ?? "") !== "" && old.state !== now.state;
  const labeled = (query.label ?? "") !== "" && JSON.stringify(old.labels) !== JSON.stringify(now.labels);
  return moved || filtered || labeled;
}

export class JobList extends RowList<Job, JobsQuery> {
  constructor(load: Load<Job, JobsQuery> = listJobs) {
    super(load, moves);
  }

  /** Listens to changes. Returns a stop function. */
  follow(): () => void {
    const stopJobs = listenTo("job", {
      onChanged: (job) => this.apply(job),
      onRemoved: (id) => this.drop(id),
      onResync: () => this.refresh(),
    });
    // rows show the state of their boards
    const stopBoards = listenTo("board", {
      onChanged: ({ id, name, url, state }) => {
        const shown = this.rows.peek().filter((job) => job.board?.id === id && job.board.state !== state);
        for (const job of shown) this.apply({ ...job, board: { id, name, url, state } });
      },
      onRemoved: (id) => {
        for (const job of this.rows.peek()) if (job.board?.id === id) this.apply({ ...job, board: null });
      },
      onResync: () => {},
    });
    return () => {
      stopJobs();
      stopBoards();
      this.close();
    };
  }
}
