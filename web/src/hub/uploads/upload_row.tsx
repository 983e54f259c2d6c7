// One upload in the list: the cells of its row, the lines of its card, its buttons.

import type { ComponentChildren, JSX } from "preact";
import { formatBytes } from "../../base/sizes";
import { Icon } from "../../widgets/icons";
import type { Upload } from "../api/uploads";
import { workspaceName } from "../creators";
import { type ListLook, NameLink } from "../parts/list_row";
import "../parts/status.css";
import { agoText, dateText, grouped, isoText, spoken } from "../preferences";
import { link } from "../router";
import * as boardsArea from "../texts/boards";
import * as area from "../texts/uploads";
import { COLUMNS, type ColumnId, TOOLS_PX } from "./columns";
import { menuItems, nameOf } from "./commands";
import "./upload_row.css";

const NAMES = { nameOf, path: ({ id }: Upload) => ["uploads", id] };

export function uploadLook(): ListLook<Upload> {
  const words = spoken(area);
  return {
    ...NAMES,
    testId: "uploads",
    label: words.table,
    columns: COLUMNS,
    columnWord: (id) => words.column[id as ColumnId],
    cells: CELLS,
    tools: (upload) => upload.url !== "" && <OpenLink upload={upload} />,
    toolsPx: TOOLS_PX,
    card: (upload) => <CardLines upload={upload} />,
    cardPx: 102,
    address: ({ url }) => (url === "" ? null : url),
    menu: menuItems,
    data: (upload) => ({ "data-upload": upload.id, "data-state": stateOf(upload) }),
    firstSort: "-created",
  };
}

const CELLS: Readonly<Record<ColumnId, (upload: Upload) => ComponentChildren>> = {
  state: (upload) => <UploadStatus upload={upload} />,
  name: (upload) => <NameLink look={NAMES} thing={upload} />,
  visibility: (upload) => <Audience upload={upload} />,
  size: ({ bytes }) => formatBytes(bytes),
  files: ({ files }) => grouped(files),
  runs: ({ runs }) => grouped(runs),
  owner: ({ owner }) => owner,
  workspace: ({ workspace }) => (
    <a class="list-row__link" href={link(["workspaces", workspace])}>
      {workspaceName(workspace)}
    </a>
  ),
  updated: ({ updated }) => <span title={isoText(updated)}>{agoText(updated)}</span>,
  created: ({ created }) => <span title={isoText(created)}>{dateText(created)}</span>,
  id: ({ id }) => <code>{id}</code>,
};

function CardLines({ upload }: { readonly upload: Upload }): JSX.Element {
  return (
    <>
      <div class="list-card__line">
        <UploadStatus upload={upload} />
        <span class="list-card__quiet">{formatBytes(upload.bytes)}</span>
      </div>
      <div class="list-card__line list-card__quiet">
        <span class="upload-row__audience-box">
          <Audience upload={upload} />
        </span>
        <span class="list-card__end">{agoText(upload.updated)}</span>
      </div>
    </>
  );
}

function stateOf({ sending, deleting }: Upload): keyof area.Texts["state"] {
  if (deleting) return "deleting";
  return sending ? "sending" : "complete";
}

export function UploadStatus({ upload }: { readonly upload: Upload }): JSX.Element {
  const state = stateOf(upload);
  const look = { sending: "sending", deleting: "failed", complete: "succeeded" }[state];
  return (
    <span class={`status status--${look}`}>
      {state === "complete" ? (
        <span class="status__icon">
          <Icon name="check" />
        </span>
      ) : (
        <span class="status__dot" />
      )}
      <span class="status__word">{spoken(area).state[state]}</span>
    </span>
  );
}

const SIGNS = { private: "lock", workspace: "group", link: "link", public: "globe" } as const;

export function Audience({ upload }: { readonly upload: Pick<Upload, "visibility"> }): JSX.Element {
  const { visibility, visibilityHint } = spoken(boardsArea);
  return (
    <span class="upload-row__audience" title={visibilityHint[upload.visibility]}>
      <Icon name={SIGNS[upload.visibility]} />
      {visibility[upload.visibility]}
    </span>
  );
}

export function OpenLink({ upload, full = false }: { readonly upload: Upload; readonly full?: boolean }): JSX.Element {
  const words = spoken(area);
  const title = words.openTitle(nameOf(upload));
  return (
    <a
      class={full ? "button button--primary" : "button button--quiet button--icon"}
      href={upload.url}
      target="_blank"
      rel="noopener"
      title={title}
      aria-label={full ? undefined : title}
      data-testid={`open-${upload.id}`}
    >
      <Icon name="open" />
      {full && <span class="button__label">{words.open}</span>}
    </a>
  );
}
