// Inside of a card: a figure, drawn by Plotly in a frame that is shut off from the board. The frame stays while steps change.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { formatBytes } from "../../base/sizes";
import type { KindCardProps } from "../../cards/kind_page";
import { SampleChoice } from "../../cards/sample_choice";
import { shownOf } from "../../cards/shown_value";
import { CardStep } from "../../cards/step_slider";
import { fetchBlob } from "../../state/blobs";
import { fetchLibrary } from "../../state/plotly_files";
import * as plotlyWords from "../../state/texts/plotly";
import { theme } from "../../state/theme";
import { tell } from "../../state/toasts";
import { member, spoken } from "../../state/view";
import { Button } from "../../widgets/button";
import { fileName, saveAddress, saveFile } from "../../widgets/files";
import type { MenuItem } from "../../widgets/menu";
import { lookOf, parseTold } from "./figure_frame";
import { takeFirstTurn } from "./first_turns";
import "./plotly_card.css";

const asLogged = member("plotlyAsLogged");

const LARGE_BYTES = 30_000_000;

type Problem = { readonly reason: string; readonly details: string };

/** Frames by the key of their card: the menu asks them for pictures. */
const frames = new Map<string, Window>();

export function PlotlyCard(props: KindCardProps): JSX.Element {
  const { card, series, urgency } = props;
  const words = spoken(plotlyWords);
  const { choice, count, sample, url, step } = shownOf(props);
  const bytes = series.bytes[choice.at] ?? 0;
  const frame = useRef<HTMLIFrameElement>(null);
  const turn = useSignal(false);
  const endTurn = useRef<() => void>(() => {});
  const near = useRef(urgency);
  near.current = urgency;
  const ready = useSignal(0);
  const drawn = useSignal<{ readonly step: string; readonly traces: number } | null>(null);
  const problem = useSignal<Problem | null>(null);
  const busy = useSignal(true);
  const wanted = useSignal("");
  const large = bytes > LARGE_BYTES && wanted.value !== url;
  const asked = useRef({ id: 0, step: "" });
  const name = [card.tag, card.run, step].join("_");
  const names = useRef(name);
  names.current = name;

  useEffect(() => {
    const hear = ({ source, data }: MessageEvent<unknown>): void => {
      const inside = frame.current?.contentWindow;
      // another frame, perhaps a page that somebody logged, says nothing for this one
      if (inside === undefined || inside === null || source !== inside) return;
      const told = parseTold(data);
      if (told === null) return;
      if (told.kind === "ready") {
        frames.set(card.key, inside);
        ready.value += 1;
      } else if (told.kind === "drawn" && told.id === asked.current.id) {
        endTurn.current();
        drawn.value = { step: asked.current.step, traces: told.traces };
        problem.value = null;
        busy.value = false;
      } else if (told.kind === "failed" && (told.id === asked.current.id || told.id < 0)) {
        endTurn.current();
        problem.value = told;
        busy.value = false;
      } else if (told.kind === "wish") inside.postMessage({ picture: { format: "png" } }, "*");
      else if (told.kind === "picture") saveFile(fileName(names.current, told.format), told.picture);
      else if (told.kind === "no picture") {
        tell(`${spoken(plotlyWords).failedPicture} ${told.details}`.trim(), { kind: "error" });
      }
    };
    window.addEventListener("message", hear);
    return () => {
      window.removeEventListener("message", hear);
      frames.delete(card.key);
    };
  }, [card.key]);

  const wants = count > 0 && !large;
  useEffect(() => {
    if (!wants) return;
    const end = takeFirstTurn(
      () => near.current(),
      () => {
        turn.value = true;
      },
    );
    endTurn.current = end;
    return end;
  }, [wants, turn]);

  useEffect(() => {
    if (ready.value === 0 || count === 0 || large) return;
    const stop = new AbortController();
    busy.value = true;
    asked.current = { id: asked.current.id + 1, step };
    const { id } = asked.current;
    const look = lookOf(getComputedStyle(document.documentElement), theme.value, asLogged.value, words.png);
    Promise.all([fetchLibrary(), fetchBlob(url, stop.signal)]).then(
      ([library, figure]) => {
        if (stop.signal.aborted) return;
        // the frame has no origin to name
        frame.current?.contentWindow?.postMessage({ draw: { library, figure, look, id } }, "*");
      },
      (error: unknown) => {
        if (stop.signal.aborted) return;
        endTurn.current();
        problem.value = { reason: "noLibrary", details: error instanceof Error ? error.message : String(error) };
        busy.value = false;
      },
    );
    return () => stop.abort();
  }, [ready.value, url, count, large, theme.value, asLogged.value, words.png]);

  const failure = problem.value;
  return (
    <>
      <div class="plotly-card__place">
        {wants && turn.value && (
          <iframe
            ref={frame}
            class={failure === null ? "plotly-card__frame" : "plotly-card__frame plotly-card__frame--broken"}
            sandbox="allow-scripts"
            referrerpolicy="no-referrer"
            title={words.frame(card.tag)}
            src="plotly_frame.html"
            data-drawn={drawn.value?.traces ?? 0}
            data-step={failure === null ? (drawn.value?.step ?? "") : ""}
          />
        )}
        {large && (
          <div class="card__message">
            <span>{words.large(formatBytes(bytes))}</span>
            <Button
              label={words.show}
              title={words.show}
              onClick={() => {
                wanted.value = url;
              }}
            />
          </div>
        )}
        {count === 0 && <div class="card__message">{words.noFigure}</div>}
        {failure !== null && wants && (
          <div class="card__message plotly-card__problem" role="alert" data-step={step}>
            <strong>{failure.reason === "noLibrary" ? words.noLibrary : words.cannotDraw}</strong>
            <span>{reasonOf(failure)}</span>
            <Button
              label={words.json}
              icon="download"
              title={words.json}
              onClick={() => saveAddress(url, `${name}.json`)}
            />
          </div>
        )}
        {drawn.value === null && failure === null && wants && <div class="kind-card__skeleton" />}
        {busy.value && wants && <div class="card__busy" />}
      </div>
      <CardStep card={card} series={series} choice={choice} busy={busy.value && wants}>
        <SampleChoice card={card} at={sample} count={count} />
      </CardStep>
    </>
  );
}

function reasonOf({ reason, details }: Problem): string {
  const { noJson, noFigure, map, noWebgl } = spoken(plotlyWords);
  const known = { noJson, noFigure, map, noWebgl }[reason];
  return [known, details].filter((part) => part !== undefined && part !== "").join(" ");
}

export function plotlyMenu(props: KindCardProps): readonly MenuItem[] {
  const { card } = props;
  const words = spoken(plotlyWords);
  const { count, url, step } = shownOf(props);
  const disabled = count === 0;
  const picture = (format: "png" | "svg"): void => frames.get(card.key)?.postMessage({ picture: { format } }, "*");
  return [
    { label: words.png, icon: "download", disabled, onSelect: () => picture("png") },
    { label: words.svg, icon: "download", disabled, onSelect: () => picture("svg") },
    {
      label: words.json,
      icon: "download",
      disabled,
      onSelect: () => saveAddress(url, `${[card.tag, card.run, step].join("_")}.json`),
    },
  ];
}
