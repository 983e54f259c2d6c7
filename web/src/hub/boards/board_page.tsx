// The page of one board: its state with commands, and tabs for everything else.

import type { ComponentType, JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { Button } from "../../widgets/button";
import { Menu } from "../../widgets/menu";
import { Tabs } from "../../widgets/tabs";
import { HubError } from "../api/client";
import type { Board, BoardAction } from "../api/types";
import { NotFound } from "../pages";
import { Failure, Loading, Notice } from "../parts/notice";
import { spoken } from "../preferences";
import { address, changeQuery, go, link } from "../router";
import { me } from "../session";
import * as area from "../texts/board";
import * as boardsArea from "../texts/boards";
import * as listsArea from "../texts/lists";
import "../parts/detail.css";
import { OpenLink } from "./board_row";
import { Deletion } from "./boards_page";
import { canKeepAlive, canOpen, canStart, canStop, keepBoardAlive, menuItems, startBoard, stopBoard } from "./commands";
import { EventsTab } from "./events_tab";
import { LimitDialog } from "./limit_dialog";
import { LogsTab } from "./logs_tab";
import { ManifestTab } from "./manifest_tab";
import { OneBoard } from "./one_board";
import { Overview } from "./overview_tab";
import { SettingsTab } from "./settings_tab";
import { SharingTab } from "./sharing_tab";
import { StateBox } from "./state_box";
import { Status } from "./status";

export type TabProperties = { readonly board: Board; readonly onBoard: (board: Board) => void };

type TabName = keyof area.Texts["tab"];

const TABS: Readonly<Record<TabName, { readonly part: ComponentType<TabProperties>; readonly needs: BoardAction }>> = {
  overview: { part: Overview, needs: "read" },
  events: { part: EventsTab, needs: "read" },
  logs: { part: LogsTab, needs: "logs" },
  settings: { part: SettingsTab, needs: "edit" },
  sharing: { part: SharingTab, needs: "share" },
  manifest: { part: ManifestTab, needs: "read" },
};

export function Page(): JSX.Element {
  const id = address.value.path[1] ?? "";
  const one = useMemo(() => new OneBoard(id), [id]);
  useEffect(() => one.follow(), [one]);
  const board = one.board.value;
  const error = one.error.value;
  useEffect(() => {
    if (board !== null) document.title = `${board.name} · ${me.peek()?.hub.name || "Lightboard"}`;
  }, [board?.name]);
  if (one.gone.value) return <Gone />;
  if (error !== null) {
    if (error instanceof HubError && error.status === 404) return <NotFound />;
    return <Failure error={error} onRetry={() => void one.load()} />;
  }
  return board === null ? <Loading /> : <Shown board={board} one={one} />;
}

function Gone(): JSX.Element {
  const words = spoken(area);
  return (
    <Notice title={words.gone} icon="trash" state="gone">
      <p>{words.goneText}</p>
      <p>
        <a href={link(["boards"])}>{words.back}</a>
      </p>
    </Notice>
  );
}

function Shown({ board, one }: { readonly board: Board; readonly one: OneBoard }): JSX.Element {
  const words = spoken(area);
  const names = (Object.keys(TABS) as TabName[]).filter((name) => board.may.includes(TABS[name].needs));
  const asked = address.value.query.tab ?? "";
  const current = names.find((name) => name === asked) ?? "overview";
  const { part: Part } = TABS[current];
  return (
    <main class="detail board" data-board={board.id} data-state={board.state}>
      <div class="detail__frame">
        <nav class="detail__back">
          <a href={link(["boards"])}>← {words.back}</a>
        </nav>
        <Header board={board} one={one} />
        <StateBox board={board} progress={one.progress.value} />
        <Tabs
          label={words.tabs}
          tabs={names.map((key) => ({ key, label: words.tab[key] }))}
          selected={current}
          onSelect={(tab) => changeQuery({ tab: tab === "overview" ? "" : tab })}
        />
        <section class="detail__part" role="tabpanel" aria-label={words.tab[current]} data-part={current}>
          <Part board={board} onBoard={one.apply} />
        </section>
      </div>
      <Deletion onDone={() => go(["boards"])} />
      <LimitDialog />
    </main>
  );
}

function Header({ board, one }: { readonly board: Board; readonly one: OneBoard }): JSX.Element {
  const words = spoken(boardsArea);
  const kept = board.keep_alive_until !== null;
  const failed = board.state === "Failed";
  const startWord = failed ? spoken(area).tryAgain : words.resume;
  return (
    <header class="detail__header">
      <div class="detail__title">
        <h1>{board.name}</h1>
        <Status board={board} />
      </div>
      <div class="detail__commands">
        {canStart(board) && (
          <Button
            icon={failed ? "refresh" : "play"}
            label={startWord}
            title={startWord}
            testId="start"
            onClick={() => void startBoard(board, one.apply)}
          />
        )}
        {canStop(board) && (
          <Button
            icon="stop"
            label={words.stop}
            title={words.stop}
            testId="stop"
            onClick={() => void stopBoard(board, one.apply)}
          />
        )}
        {canKeepAlive(board) && (
          <Button
            icon="clock"
            label={kept ? words.endKeepAlive : words.keepAlive}
            title={kept ? words.endKeepAlive : words.keepAlive}
            testId="keep-alive"
            onClick={() => void keepBoardAlive(board, one.apply, kept ? "never" : "8h")}
          />
        )}
        <Menu label={spoken(listsArea).menu(board.name)} testId="board-menu" items={menuItems(board, one.apply)} />
        {canOpen(board) && <OpenLink board={board} full />}
      </div>
    </header>
  );
}
