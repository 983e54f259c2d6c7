// Content of an HTML card: a logged page in an iframe. Its scripts run without this origin, so they reach neither the
// board nor its browser storage; the headers of the board's response forbid them the network.

import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { formatBytes } from "../../base/sizes";
import type { KindCardProps } from "../../cards/kind_page";
import { SampleChoice } from "../../cards/sample_choice";
import { shownOf } from "../../cards/shown_value";
import { CardStep } from "../../cards/step_slider";
import { fetchBlob } from "../../state/blobs";
import * as htmlWords from "../../state/texts/html";
import { spoken } from "../../state/view";
import { Button } from "../../widgets/button";
import { saveAddress } from "../../widgets/files";
import { Icon } from "../../widgets/icons";
import type { MenuItem } from "../../widgets/menu";
import { guardFocus } from "./focus_guard";
import "./html_card.css";

// larger pages may block the browser: load them only when the user requests it
const LARGE_BYTES = 8_000_000;
// the stored size includes tag and metadata: a value shorter than this plus the tag may be an empty page
const SHORT_BYTES = 400;

export function HtmlCard(props: KindCardProps): JSX.Element {
  const { card, series } = props;
  const words = spoken(htmlWords);
  const { choice, count, sample, url, step } = shownOf(props);
  const bytes = series.bytes[choice.at] ?? 0;
  const wanted = useSignal("");
  const loaded = useSignal("");
  const large = bytes > LARGE_BYTES && wanted.value !== url;
  const blank = useBlank(url, count > 0 && bytes < SHORT_BYTES + card.tag.length, loaded);
  const empty = count === 0 || blank;
  const busy = !empty && !large && loaded.value !== url;
  return (
    <>
      <div class="html-card__place">
        {empty ? (
          <div class="card__message">{words.empty}</div>
        ) : large ? (
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
        ) : (
          <Frame url={url} tag={card.tag} step={step} loaded={loaded} />
        )}
        {busy && <div class="card__busy" />}
      </div>
      <CardStep card={card} series={series} choice={choice} busy={busy}>
        <>
          <span class="html-card__stranger" title={words.strangerHint}>
            <Icon name="info" />
            <span>{words.stranger}</span>
          </span>
          <SampleChoice card={card} at={sample} count={count} />
        </>
      </CardStep>
    </>
  );
}

/** Returns whether a page is blank. Checks only short pages. `loaded` is reset for each page. */
function useBlank(url: string, short: boolean, loaded: Signal<string>): boolean {
  const blank = useSignal("");
  useEffect(() => {
    loaded.value = "";
    if (!short) return;
    const stop = new AbortController();
    fetchBlob(url, stop.signal).then(
      async (page) => {
        if ((await page.text()).trim() === "") blank.value = url;
      },
      // the iframe shows the board's error message
      () => {},
    );
    return () => stop.abort();
  }, [url, short, loaded, blank]);
  return blank.value === url;
}

type FrameProps = {
  readonly url: string;
  readonly tag: string;
  readonly step: string;
  /** Set to the URL of the page when it has loaded. */
  readonly loaded: Signal<string>;
};

function Frame({ url, tag, step, loaded }: FrameProps): JSX.Element {
  const frame = useRef<HTMLIFrameElement>(null);
  const drawn = useSignal(0);
  useEffect(() => (frame.current === null ? undefined : guardFocus(frame.current)), [url]);
  return (
    // with the key each page gets a new iframe, so that steps do not enter the browser history
    <iframe
      key={url}
      ref={frame}
      class="html-card__frame"
      sandbox="allow-scripts"
      referrerpolicy="no-referrer"
      title={spoken(htmlWords).frame(tag)}
      src={url}
      data-step={step}
      data-drawn={drawn.value}
      onLoad={() => {
        loaded.value = url;
        drawn.value += 1;
      }}
    />
  );
}

export function htmlMenu(props: KindCardProps): readonly MenuItem[] {
  const { card } = props;
  const words = spoken(htmlWords);
  const { count, url, step } = shownOf(props);
  const disabled = count === 0;
  return [
    {
      label: words.download,
      icon: "download",
      disabled,
      onSelect: () => saveAddress(url, `${[card.tag, card.run, step].join("_")}.html`),
    },
  ];
}
