// The page of one upload: what it is, its link and who may see it, commands to copy, and its files.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { formatBytes } from "../../base/sizes";
import { Button } from "../../widgets/button";
import { Menu } from "../../widgets/menu";
import { HubError } from "../api/client";
import type { Upload } from "../api/uploads";
import { workspaceName } from "../creators";
import { NotFound } from "../pages";
import { CommandLine } from "../parts/command_line";
import { CopyButton } from "../parts/copy_button";
import "../parts/detail.css";
import { type Fact, Facts, Time } from "../parts/facts";
import { Failure, Loading, Notice } from "../parts/notice";
import { grouped, spoken } from "../preferences";
import { address, go, link } from "../router";
import { me } from "../session";
import * as listsArea from "../texts/lists";
import * as area from "../texts/uploads";
import { canChange, deletion, menuItems, nameOf } from "./commands";
import { DeleteDialog } from "./delete_dialog";
import { EditDialog } from "./edit_dialog";
import { FileList } from "./file_list";
import { OneUpload } from "./one_upload";
import "./upload_page.css";
import { Audience, OpenLink, UploadStatus } from "./upload_row";

export function Page(): JSX.Element {
  const id = address.value.path[1] ?? "";
  const one = useMemo(() => new OneUpload(id), [id]);
  useEffect(() => one.follow(), [one]);
  useEffect(
    () => () => {
      deletion.value = null;
    },
    [],
  );
  const upload = one.upload.value;
  const error = one.error.value;
  useEffect(() => {
    if (upload !== null) document.title = `${nameOf(upload)} · ${me.peek()?.hub.name || "Lightboard"}`;
  }, [upload?.name]);
  if (one.gone.value) return <Gone />;
  if (error !== null) {
    if (error instanceof HubError && error.status === 404) return <NotFound />;
    return <Failure error={error} onRetry={() => void one.load()} />;
  }
  return upload === null ? <Loading /> : <Shown upload={upload} one={one} />;
}

function Gone(): JSX.Element {
  const words = spoken(area);
  return (
    <Notice title={words.gone} icon="trash" state="gone">
      <p>{words.goneText}</p>
      <p>
        <a href={link(["uploads"])}>{words.back}</a>
      </p>
    </Notice>
  );
}

type ShownProperties = { readonly upload: Upload; readonly one: OneUpload };

function Shown({ upload, one }: ShownProperties): JSX.Element {
  const words = spoken(area);
  const editing = useSignal(false);
  const board = one.board.value;
  const may = board === null ? canChange(upload) : board.may.includes("edit");
  const close = (): void => {
    editing.value = false;
  };
  return (
    <main class="detail upload" data-upload={upload.id} data-sending={upload.sending ? "" : undefined}>
      <div class="detail__frame">
        <nav class="detail__back">
          <a href={link(["uploads"])}>← {words.back}</a>
        </nav>
        <header class="detail__header">
          <div class="detail__title">
            <h1>{nameOf(upload)}</h1>
            <UploadStatus upload={upload} />
          </div>
          <div class="detail__commands">
            {may && (
              <Button
                icon="edit"
                label={words.edit}
                title={words.edit}
                testId="edit"
                onClick={() => {
                  editing.value = true;
                }}
              />
            )}
            <Menu label={spoken(listsArea).menu(nameOf(upload))} testId="upload-menu" items={menuItems(upload)} />
            {upload.url !== "" && <OpenLink upload={upload} full />}
          </div>
        </header>
        {upload.sending && (
          <p class="upload__sending" role="status" data-testid="sending">
            {words.receiving}
          </p>
        )}
        {upload.description !== "" && <p class="upload__description">{upload.description}</p>}
        <div class="overview">
          <About upload={upload} one={one} />
          <Commands upload={upload} may={may} />
          <FileList upload={upload} />
        </div>
      </div>
      {editing.value && <EditDialog upload={upload} board={board} one={one} onClose={close} />}
      <DeleteDialog onDone={() => go(["uploads"])} />
    </main>
  );
}

function About({ upload, one }: ShownProperties): JSX.Element {
  const words = spoken(area);
  const growth = one.growth.value;
  const facts: readonly Fact[] = [
    [
      words.link,
      upload.url === "" ? (
        <span class="panel__quiet">{words.noBoard}</span>
      ) : (
        <span class="facts__copy">
          <a href={upload.url}>{upload.url}</a>
          <CopyButton text={() => upload.url} testId="copy-link" />
        </span>
      ),
    ],
    [words.visibility, <Audience upload={upload} />],
    [
      words.column.size,
      <span data-testid="size">
        {formatBytes(upload.bytes)}
        {growth !== null && <span class="panel__quiet"> · +{words.growth(formatBytes(growth))}</span>}
      </span>,
    ],
    [words.column.files, grouped(upload.files)],
    [words.column.runs, grouped(upload.runs)],
    [words.column.owner, upload.owner],
    [words.column.workspace, <a href={link(["workspaces", upload.workspace])}>{workspaceName(upload.workspace)}</a>],
    [words.column.updated, <Time time={upload.updated} />],
    [words.column.created, <Time time={upload.created} />],
    [words.form, <code>{words.forms[upload.form] ?? upload.form}</code>],
    [words.id, <code>{upload.id}</code>],
  ];
  return (
    <section class="panel" data-testid="about">
      <h2>{words.about}</h2>
      <Facts facts={facts} />
    </section>
  );
}

function Commands({ upload, may }: { readonly upload: Upload; readonly may: boolean }): JSX.Element {
  const words = spoken(area);
  return (
    <section class="panel">
      <h2>{words.commands}</h2>
      {may && upload.form === "files" && (
        <CommandLine
          label={words.continueText}
          command={`lightboard dev upload --logdir runs --upload ${upload.id}`}
          testId="continue-command"
        />
      )}
      <CommandLine
        label={words.exportText}
        command={`lightboard dev export --outdir copy --experiment_id ${upload.id}`}
        testId="export-command"
      />
    </section>
  );
}
