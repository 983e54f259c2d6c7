// The rows of the upload list. The hub sends all uploads that the user may see; search, filters, order and pages are
// made here. The hub does not tell of changes of uploads: the list asks, more often while something is being sent.

import { listUploads, type Upload, type UploadsQuery } from "../api/uploads";
import { listenTo } from "../live";
import { type PageQuery, RowList } from "../parts/row_list";

export type ListQuery = UploadsQuery & PageQuery & { readonly q?: string; readonly visibility?: string };

const SENDING_MS = 2000;
const QUIET_MS = 15_000;

/** The query for the filters of the address; `user` is the name of the asking user. */
export function queryOf(filters: Readonly<Record<string, string>>, user: string): ListQuery {
  const { q = "", visibility = "", workspace = "", mine = "", sort = "" } = filters;
  return { q: q.trim(), visibility, workspace, owner: mine === "" ? "" : user, sort: sort === "" ? "-created" : sort };
}

const MEMBERS: Readonly<Record<string, (upload: Upload) => string | number>> = {
  state: ({ sending, deleting }) => (sending ? 0 : deleting ? 1 : 2),
  name: ({ name }) => name.toLowerCase(),
  visibility: ({ visibility }) => visibility,
  size: ({ bytes }) => bytes,
  files: ({ files }) => files,
  runs: ({ runs }) => runs,
  owner: ({ owner }) => owner,
  workspace: ({ workspace }) => workspace,
  updated: ({ updated }) => updated,
  created: ({ created }) => created,
};

/** Those that match, in order. Words of the search may stand in any of the texts. */
export function arranged(
  uploads: readonly Upload[],
  { q = "", visibility = "", sort = "" }: ListQuery,
): readonly Upload[] {
  const words = q.toLowerCase().split(/\s+/);
  const found = uploads.filter((upload) => {
    const text = [upload.name, upload.description, upload.id, upload.owner].join("\n").toLowerCase();
    return (visibility === "" || upload.visibility === visibility) && words.every((word) => text.includes(word));
  });
  const down = sort.startsWith("-");
  const member = MEMBERS[sort.replace("-", "")] ?? (({ created }: Upload) => created);
  const order = (one: Upload, other: Upload): number => {
    const [a, b] = [member(one), member(other)];
    const by = typeof a === "number" && typeof b === "number" ? a - b : compare(String(a), String(b));
    return by || compare(one.id, other.id);
  };
  return [...found].sort((one, other) => (down ? order(other, one) : order(one, other)));
}

const collator = new Intl.Collator(undefined, { numeric: true });

function compare(one: string, other: string): number {
  return collator.compare(one, other);
}

/** Loads all, and gives the page that was asked for. */
function loader(list: typeof listUploads) {
  return async (query: ListQuery, signal?: AbortSignal) => {
    const { workspace = "", owner = "", limit = 50, page_token = "" } = query;
    const { items } = await list({ workspace, owner }, signal);
    const all = arranged(items, query);
    const from = Number(page_token || "0");
    const end = Math.min(all.length, from + limit);
    return { items: all.slice(from, end), next_page_token: end < all.length ? String(end) : "", total: all.length };
  };
}

export class UploadList extends RowList<Upload, ListQuery> {
  constructor(list: typeof listUploads = listUploads) {
    super(loader(list), () => true);
  }

  /** Asks again and again. Returns a stop function. */
  follow(): () => void {
    let last = Date.now();
    const timer = setInterval(() => {
      const gap = this.rows.peek().some(({ sending }) => sending) ? SENDING_MS : QUIET_MS;
      if (document.visibilityState !== "visible" || Date.now() - last < gap) return;
      last = Date.now();
      this.refresh();
    }, SENDING_MS);
    // an upload is created, deleted and made public with its board
    const stop = listenTo("board", {
      onChanged: ({ id, sources }) => {
        const ours = sources.some(({ uri }) => uri.startsWith("upload://"));
        if (ours || this.rows.peek().some(({ board }) => board === id)) this.refresh();
      },
      onRemoved: (id) => {
        if (this.rows.peek().some(({ board }) => board === id)) this.refresh();
      },
      onResync: () => this.refresh(),
    });
    return () => {
      clearInterval(timer);
      stop();
      this.close();
    };
  }
}
