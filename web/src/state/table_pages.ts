// Rows of a logged table, requested in pages as they become visible, with the user's sort order and filters.

import { type ReadonlySignal, signal } from "@preact/signals";
import { ApiError, fetchTableFile, fetchTablePage, type TableColumn, type TablePage } from "../api/client";
import { asProblem, type Problem } from "./board";

export type { TableColumn };

export type Cell = string | number | boolean | null;

/** A request for a table; the key is the last part of a blob's URL. */
export type TableQuestion = {
  readonly key: string;
  readonly sort: string;
  readonly filter: Readonly<Record<string, string>>;
};

export type TableProblem = Problem & {
  /** The server has the bytes, but they are not a table. */
  readonly noTable: boolean;
};

export type TableRows = {
  /** Facts of the newest response; null before the first. */
  readonly facts: ReadonlySignal<Omit<TablePage, "cells" | "order" | "first"> | null>;
  readonly problem: ReadonlySignal<TableProblem | null>;
  /** Changes whenever rows have arrived. */
  readonly version: ReadonlySignal<number>;
  /** Returns undefined while the row is being loaded. */
  readonly row: (index: number) => readonly Cell[] | undefined;
  readonly want: (first: number, last: number) => void;
  readonly retry: () => void;
};

const PAGE_ROWS = 200;
const MOST_PAGES = 50;

export function tableRows(question: TableQuestion): TableRows {
  const pages = new Map<number, TablePage | "asked">();
  const facts = signal<TablePage | null>(null);
  const problem = signal<TableProblem | null>(null);
  const version = signal(0);

  const ask = async (page: number): Promise<void> => {
    pages.set(page, "asked");
    try {
      const answer = await fetchTablePage({ ...question, first: page * PAGE_ROWS, count: PAGE_ROWS });
      pages.set(page, answer);
      facts.value = answer;
      for (const [old, held] of pages) {
        if (pages.size <= MOST_PAGES) break;
        if (held !== "asked" && old !== page) pages.delete(old);
      }
    } catch (error) {
      pages.delete(page);
      problem.value = { ...asProblem(error), noTable: error instanceof ApiError && error.status === 422 };
    }
    version.value += 1;
  };
  const want = (first: number, last: number): void => {
    if (problem.peek() !== null) return;
    for (let page = Math.floor(first / PAGE_ROWS); page <= Math.floor(last / PAGE_ROWS); page++) {
      if (!pages.has(page)) void ask(page);
    }
  };
  return {
    facts,
    problem,
    version,
    want,
    row: (index) => {
      const page = pages.get(Math.floor(index / PAGE_ROWS));
      if (page === undefined || page === "asked") return undefined;
      const at = index % PAGE_ROWS;
      return at < page.order.length ? page.cells.map((column) => column[at] ?? null) : undefined;
    },
    retry: () => {
      problem.value = null;
      want(0, 0);
    },
  };
}

export function tableFile(question: TableQuestion, format: "csv" | "json"): Promise<Blob> {
  return fetchTableFile({ ...question, format });
}

/** Returns the key of a blob from its URL (see `blobOf`). */
export function keyOfBlob(address: string): string {
  return address.slice(address.lastIndexOf("/") + 1);
}
