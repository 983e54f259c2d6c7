// Which page is shown at which address. Pages are loaded when they are first shown.

import type { ComponentType, JSX } from "preact";
import { lazy } from "../widgets/lazy";
import { Page as BoardsPage } from "./boards/boards_page";
import { Notice } from "./parts/notice";
import { spoken } from "./preferences";
import { type Address, address, link } from "./router";
import { isAdmin } from "./session";
import * as area from "./texts/shell";

export type PageName =
  | "boards"
  | "board"
  | "jobs"
  | "job"
  | "uploads"
  | "upload"
  | "sign_in"
  | "link"
  | "account"
  | "workspaces"
  | "workspace"
  | "admin";

const PAGES: Readonly<Record<PageName, ComponentType>> = {
  // the first page of nearly every visit
  boards: BoardsPage,
  board: lazy(() => import("./boards/board_page").then((module) => module.Page)),
  jobs: lazy(() => import("./jobs/jobs_page").then((module) => module.Page)),
  job: lazy(() => import("./jobs/job_page").then((module) => module.Page)),
  uploads: lazy(() => import("./uploads/uploads_page").then((module) => module.Page)),
  upload: lazy(() => import("./uploads/upload_page").then((module) => module.Page)),
  sign_in: lazy(() => import("./people/sign_in").then((module) => module.Page)),
  link: lazy(() => import("./people/link").then((module) => module.Page)),
  account: lazy(() => import("./people/account").then((module) => module.Page)),
  workspaces: lazy(() => import("./people/workspaces").then((module) => module.Page)),
  workspace: lazy(() => import("./people/workspace").then((module) => module.Page)),
  admin: lazy(() => import("./people/admin").then((module) => module.Page)),
};

/** Returns null for an address without a page. Pages read what follows (an id, a tab) from `address`. */
export function pageAt({ path }: Address): PageName | null {
  const [first = "", second] = path;
  if (first === "boards") return second === undefined ? "boards" : "board";
  if (first === "jobs") return second === undefined ? "jobs" : "job";
  if (first === "uploads") return second === undefined ? "uploads" : "upload";
  if (first === "workspaces") return second === undefined ? "workspaces" : "workspace";
  if (first === "sign-in") return "sign_in";
  if (first === "link") return "link";
  if (first === "account") return "account";
  // who is not an admin learns nothing about the page
  if (first === "admin") return isAdmin.value ? "admin" : null;
  return null;
}

export function CurrentPage(): JSX.Element {
  const name = pageAt(address.value);
  if (name === null) return <NotFound />;
  const Page = PAGES[name];
  // another board or workspace is another page, with state of its own
  return <Page key={[name, address.value.path[1] ?? ""].join(" ")} />;
}

/** Also for what the user may not see: the hub answers both in the same way. */
export function NotFound(): JSX.Element {
  const words = spoken(area).notFound;
  return (
    <Notice title={words.title} icon="search" state="not found">
      <p>{words.text}</p>
      <p>
        <a href={link(["boards"])}>{words.boards}</a>
      </p>
    </Notice>
  );
}
