// The definition of a board as YAML, to copy.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { fetchManifest } from "../api/boards";
import { CopyButton } from "../parts/copy_button";
import { Failure } from "../parts/notice";
import { spoken } from "../preferences";
import * as area from "../texts/board";
import * as shellArea from "../texts/shell";
import type { TabProperties } from "./board_page";
import "./logs_tab.css";

export function ManifestTab({ board }: TabProperties): JSX.Element {
  const words = spoken(area);
  const text = useSignal("");
  const error = useSignal<unknown>(null);
  const load = (): void => {
    fetchManifest(board.id).then(
      (yaml) => {
        text.value = yaml;
        error.value = null;
      },
      (failure: unknown) => {
        error.value = failure;
      },
    );
  };
  useEffect(load, [board.id, board.generation]);
  if (error.value !== null) return <Failure error={error.value} onRetry={load} />;
  return (
    <section class="panel">
      <div class="panel__actions">
        <span class="panel__quiet logs__note">{words.manifestText}</span>
        <CopyButton text={() => text.value} label={spoken(shellArea).copy} kind="plain" testId="copy-manifest" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with the arrows */}
      {/* biome-ignore lint/a11y/useSemanticElements: only pre keeps spaces and lines */}
      <pre role="region" class="logs__text" tabIndex={0} aria-label={words.tab.manifest} data-testid="manifest">
        {text.value}
      </pre>
    </section>
  );
}
