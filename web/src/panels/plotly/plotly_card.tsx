// Content of a card: a figure, drawn by Plotly in a sandboxed iframe. The iframe stays when the step changes.

import { type Signal, signal, useSignal } from "@preact/signals";
import type { JSX, RefObject } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { formatBytes } from "../../base/sizes";
import type { KindCardProps } from "../../cards/kind_page";
import { SampleChoice } from "../../cards/sample_choice";
import { shownOf } from "../../cards/shown_value";
import { CardStep } from "../../cards/step_slider";
import { fetchBlob } from "../../state/blobs";
import { reasonOf } from "../../state/explained";
import { fetchLibrary } from "../../state/plotly_files";
import * as plotlyWords from "../../state/texts/plotly";
import { theme } from "../../state/theme";
import { tell } from "../../state/toasts";
import { member, spoken } from "../../state/view";
import { Button } from "../../widgets/button";
import { fileName, saveAddress, saveFile } from "../../widgets/files";
import type { MenuItem } from "../../widgets/menu";
import { type FrameMessage, lookOf, parseMessage } from "./figure_frame";
import { type FigureEvent, type FigureState, NO_FIGURE, nextFigure, type Problem } from "./figure_state";
import { takeFirstTurn } from "./first_turns";
import "./plotly_card.css";

const asLogged = member("plotlyAsLogged");

const LARGE_BYTES = 30_000_000;

/** Iframes by card key: the menu requests images from them. */
const frames = new Map<string, Window>();

/** A card's figure and its iframe. Created once; its signals change. */
type Figure = {
  readonly frame: RefObject<HTMLIFrameElement | null>;
  readonly state: Signal<FigureState>;
  /** How often an iframe has reported that it is ready; it reports again after it was removed and added. */
  readonly ready: Signal<number>;
  /** It is this iframe's turn to load the library. */
  readonly turn: Signal<boolean>;
  endTurn: () => void;
};

export function PlotlyCard(props: KindCardProps): JSX.Element {
  const { card, series, urgency } = props;
  const words = spoken(plotlyWords);
  const { choice, count, sample, url, step } = shownOf(props);
  const bytes = series.bytes[choice.at] ?? 0;
  const wanted = useSignal("");
  const large = bytes > LARGE_BYTES && wanted.value !== url;
  const wants = count > 0 && !large;
  const name = [card.tag, card.run, step].join("_");
  const figure = useMemo(openFigure, []);
  useMessages(figure, card.key, name);
  useFirstTurn(figure, wants, urgency);
  useDrawing(figure, wants, url, step);
  const { drawn, problem, busy } = figure.state.value;
  return (
    <>
      <div class="plotly-card__place">
        {wants && figure.turn.value && (
          <iframe
            ref={figure.frame}
            class={problem === null ? "plotly-card__frame" : "plotly-card__frame plotly-card__frame--broken"}
            sandbox="allow-scripts"
            referrerpolicy="no-referrer"
            title={words.frame(card.tag)}
            src="plotly_frame.html"
            data-drawn={drawn?.traces ?? 0}
            data-step={problem === null ? (drawn?.step ?? "") : ""}
          />
        )}
        {large && (
          <Large
            bytes={bytes}
            onShow={() => {
              wanted.value = url;
            }}
          />
        )}
        {count === 0 && <div class="card__message">{words.noFigure}</div>}
        {problem !== null && wants && <Failed problem={problem} step={step} url={url} name={name} />}
        {drawn === null && problem === null && wants && <div class="kind-card__skeleton" />}
        {busy && wants && <div class="card__busy" />}
      </div>
      <CardStep card={card} series={series} choice={choice} busy={busy && wants}>
        <SampleChoice card={card} at={sample} count={count} />
      </CardStep>
    </>
  );
}

function Large({ bytes, onShow }: { readonly bytes: number; readonly onShow: () => void }): JSX.Element {
  const words = spoken(plotlyWords);
  return (
    <div class="card__message">
      <span>{words.large(formatBytes(bytes))}</span>
      <Button label={words.show} title={words.show} onClick={onShow} />
    </div>
  );
}

type FailedProps = {
  readonly problem: Problem;
  readonly step: string;
  readonly url: string;
  readonly name: string;
};

function Failed({ problem, step, url, name }: FailedProps): JSX.Element {
  const words = spoken(plotlyWords);
  return (
    <div class="card__message plotly-card__problem" role="alert" data-step={step}>
      <strong>{problem.reason === "noLibrary" ? words.noLibrary : words.cannotDraw}</strong>
      <span>{problemText(problem)}</span>
      <Button label={words.json} icon="download" title={words.json} onClick={() => saveAddress(url, `${name}.json`)} />
    </div>
  );
}

function openFigure(): Figure {
  return {
    frame: { current: null },
    state: signal(NO_FIGURE),
    ready: signal(0),
    turn: signal(false),
    endTurn: () => {},
  };
}

/** The first response ends the turn to load. */
function answer(figure: Figure, event: FigureEvent): void {
  const before = figure.state.peek();
  const after = nextFigure(before, event);
  if (after === before) return;
  figure.endTurn();
  figure.state.value = after;
}

function useMessages(figure: Figure, cardKey: string, name: string): void {
  const names = useRef(name);
  names.current = name;
  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent<unknown>): void => {
      const inside = figure.frame.current?.contentWindow;
      // ignore messages from other iframes, for example logged HTML pages
      if (inside === undefined || inside === null || source !== inside) return;
      const message = parseMessage(data);
      if (message === null) return;
      if (message.kind === "ready") {
        frames.set(cardKey, inside);
        figure.ready.value += 1;
      } else if (message.kind === "drawn" || message.kind === "failed") answer(figure, message);
      else onPicture(message, inside, names.current);
    };
    window.addEventListener("message", onMessage);
    return () => {
      window.removeEventListener("message", onMessage);
      frames.delete(cardKey);
    };
  }, [cardKey]);
}

type AboutPicture = Exclude<FrameMessage, { readonly kind: "ready" | "drawn" | "failed" }>;

function onPicture(message: AboutPicture, inside: Window, name: string): void {
  if (message.kind === "wish") inside.postMessage({ picture: { format: "png" } }, "*");
  else if (message.kind === "picture") saveFile(fileName(name, message.format), message.picture);
  else tell(`${spoken(plotlyWords).failedPicture} ${message.details}`.trim(), { kind: "error" });
}

function useFirstTurn(figure: Figure, wants: boolean, urgency: () => number): void {
  const near = useRef(urgency);
  near.current = urgency;
  useEffect(() => {
    if (!wants) return;
    const end = takeFirstTurn(
      () => near.current(),
      () => {
        figure.turn.value = true;
      },
    );
    figure.endTurn = end;
    return end;
  }, [wants]);
}

/** Requests the figure at a URL from the iframe, and again when the theme changes. */
function useDrawing(figure: Figure, wants: boolean, url: string, step: string): void {
  const { png } = spoken(plotlyWords);
  useEffect(() => {
    if (figure.ready.value === 0 || !wants) return;
    const stop = new AbortController();
    figure.state.value = nextFigure(figure.state.peek(), { kind: "asked", step });
    const { id } = figure.state.peek();
    const look = lookOf(getComputedStyle(document.documentElement), theme.value, asLogged.value, png);
    Promise.all([fetchLibrary(), fetchBlob(url, stop.signal)]).then(
      ([library, content]) => {
        if (stop.signal.aborted) return;
        // target "*": the sandboxed iframe has no origin
        figure.frame.current?.contentWindow?.postMessage({ draw: { library, figure: content, look, id } }, "*");
      },
      (error: unknown) => {
        if (stop.signal.aborted) return;
        answer(figure, { kind: "unreachable", details: reasonOf(error) });
      },
    );
    return () => stop.abort();
  }, [figure.ready.value, url, wants, theme.value, asLogged.value, png]);
}

function problemText({ reason, details }: Problem): string {
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
