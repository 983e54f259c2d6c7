// Content of an image card: the image of a step and sample, or two compared images, and the step slider.

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { CompareRow } from "../../cards/compare_row";
import { type OtherSide, otherIn } from "../../cards/comparing";
import { openFull } from "../../cards/full_frame";
import { GifPlayer } from "../../cards/gif_player";
import type { KindCardProps } from "../../cards/kind_page";
import { SampleChoice } from "../../cards/sample_choice";
import { shownOf } from "../../cards/shown_value";
import { CardStep } from "../../cards/step_slider";
import { blobOf } from "../../state/blobs";
import type { KindCard } from "../../state/card_keys";
import { type SeriesSteps, stepsOf } from "../../state/steps";
import * as imagesWords from "../../state/texts/images";
import { member, spoken } from "../../state/view";
import { saveAddress } from "../../widgets/files";
import type { MenuItem } from "../../widgets/menu";
import "./compare_row.css";
import { Compared } from "./compared";
import { chooseOther, firstForCard, otherOf, ownOther } from "./comparing";
import "./image_card.css";
import { type Loaded, useLoadedPicture, type Wanted } from "./loaded_picture";
import { Overlays } from "./overlays";
import { lookStyle, Picture } from "./picture";
import { usePictureFacts, useTagFacts } from "./picture_facts";
import { PictureFrame } from "./picture_frame";
import { PictureProblem } from "./picture_problem";
import { prefetch } from "./prefetch";
import { thumbnailWidth } from "./thumbnail";
import { zoomOf } from "./zoom_choice";

const actual = member("imagesActual");
const mode = member("imagesMode");
const shows = member("imagesOverlays");

/** An undefined width requests the image as it was logged. */
export function wantedAt(
  card: Pick<KindCard, "kind" | "tag" | "run">,
  series: SeriesSteps,
  at: number,
  sample: number,
  widthPx: number | undefined,
): Wanted | null {
  const count = series.counts[at] ?? 0;
  if (count === 0) return null;
  const each = (series.bytes[at] ?? 0) / count;
  const width = widthPx === undefined ? undefined : thumbnailWidth(widthPx, devicePixelRatio, each);
  const one = Math.min(sample, count - 1);
  return {
    url: blobOf(card, series, at, one, { width }),
    whole: blobOf(card, series, at, one),
    step: String(series.steps[at] ?? ""),
  };
}

export function ImageCard(props: KindCardProps): JSX.Element {
  const { card, series, widthPx, full } = props;
  const { choice, count, sample, step } = shownOf(props);
  const zoom = zoomOf(card.key);
  const other = otherOf(card.key);
  const beside =
    other === null ? null : otherIn(stepsOf(card.kind, card.tag).runs.value, card, { step, at: choice.at }, other);
  const comparing = beside !== null && !beside.same;
  const asLogged = full || actual.value || zoom !== null || (comparing && mode.value === "difference");
  const room = asLogged ? undefined : comparing && mode.value === "side" ? widthPx / 2 : widthPx;
  const wanted = wantedAt(card, series, choice.at, sample, room);
  const a = useLoadedPicture(wanted);
  const b = useLoadedPicture(
    comparing ? wantedAt({ ...card, run: beside.run }, beside.series, beside.at, sample, room) : null,
  );
  const busy = a.busy.value || b.busy.value;
  useNeighbors(props, room, busy, wanted?.url);
  const words = spoken(imagesWords);
  const own = ownOther(card.key);
  return (
    <>
      <div class={full ? "image-card__place image-card__place--full" : "image-card__place"}>
        {wanted === null ? (
          <div class="card__message" data-step={step}>
            {words.none}
          </div>
        ) : a.failed.value ? (
          <PictureProblem card={card} wanted={wanted} />
        ) : a.shown.value === null ? (
          <div class="kind-card__skeleton" />
        ) : (
          <Inside props={props} picture={a.shown.value} other={comparing ? beside : null} b={b.shown.value} />
        )}
        {other !== null && beside === null && own === null && <div class="image-card__note">{words.noOther}</div>}
        {comparing && b.failed.value && <div class="image-card__note">{words.otherFailed}</div>}
        {busy && <div class="card__busy" />}
      </div>
      {own !== null && (
        <CompareRow
          kind="images"
          words={words}
          card={card}
          other={own}
          side={beside}
          onChoose={(other) => chooseOther(card.key, other)}
        />
      )}
      <CardStep card={card} series={series} choice={choice} busy={busy}>
        <SampleChoice card={card} at={sample} count={count} />
      </CardStep>
    </>
  );
}

/** Prefetches the images of neighboring steps when the chosen one has loaded. */
function useNeighbors(props: KindCardProps, room: number | undefined, busy: boolean, url: string | undefined): void {
  const { card, series } = props;
  const { choice, sample } = shownOf(props);
  useEffect(() => {
    if (busy || choice.by === "newest" || choice.by === "link") return;
    const neighbors = [choice.at + 1, choice.at + 2, choice.at - 1].flatMap(
      (at) => wantedAt(card, series, at, sample, room) ?? [],
    );
    return prefetch(neighbors.map(({ url }) => url));
  }, [busy, url]);
}

type InsideProps = {
  readonly props: KindCardProps;
  readonly picture: Loaded;
  readonly other: OtherSide | null;
  readonly b: Loaded | null;
};

function Inside({ props, picture, other, b }: InsideProps): JSX.Element {
  const { card, full } = props;
  const words = spoken(imagesWords);
  const { moves, overlays } = useTagFacts(card.tag, picture.whole);
  const onOpen = full ? undefined : () => openFull(card.key);
  const common = { cardKey: card.key, label: card.tag, onOpen };
  if (other !== null && b !== null) {
    const drawsOverlays = overlays && shows.value;
    return (
      <Compared
        {...common}
        a={{ run: card.run, step: stepOfText(picture.step), picture, overlays: drawsOverlays }}
        b={{ run: other.run, step: other.series.steps[other.at], picture: b, overlays: drawsOverlays }}
        full={full}
      />
    );
  }
  if (moves && zoomOf(card.key) === null && !actual.value) {
    const { whole, url, step } = picture;
    return (
      <GifPlayer
        cardKey={card.key}
        url={whole}
        still={url}
        label={card.tag}
        step={step}
        style={lookStyle()}
        onClick={onOpen}
      />
    );
  }
  if (actual.value && !full && zoomOf(card.key) === null) {
    return (
      <button type="button" class="image-card__actual" title={words.open(card.tag)} onClick={onOpen}>
        <img src={picture.url} alt={card.tag} style={lookStyle()} data-drawn={picture.drawn} data-step={picture.step} />
      </button>
    );
  }
  return <Framed props={props} picture={picture} overlays={overlays} onOpen={onOpen} />;
}

type FramedProps = Pick<InsideProps, "props" | "picture"> & {
  readonly overlays: boolean;
  readonly onOpen: (() => void) | undefined;
};

/** One zoomable image. */
function Framed({ props: { card, widthPx, full }, picture, overlays, onOpen }: FramedProps): JSX.Element {
  const facts = usePictureFacts(overlays && shows.value ? picture.whole : null).value;
  const small = picture.widthPx * 2 <= widthPx;
  return (
    <PictureFrame
      cardKey={card.key}
      label={card.tag}
      picture={picture}
      whole={picture.url === picture.whole}
      full={full}
      onOpen={onOpen}
    >
      {(drawn, pixelated) => (
        <>
          <Picture
            picture={picture}
            label={card.tag}
            drawn={drawn}
            pixelated={pixelated || (drawn === null && small)}
          />
          {facts !== null && <Overlays facts={facts} drawn={drawn} />}
        </>
      )}
    </PictureFrame>
  );
}

function stepOfText(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) || !/^-?\d+$/.test(text) ? number : BigInt(text);
}

export function imageMenu(props: KindCardProps): readonly MenuItem[] {
  const { card, series } = props;
  const words = spoken(imagesWords);
  const { choice, count, sample, step } = shownOf(props);
  const url = blobOf(card, series, choice.at, sample);
  const disabled = count === 0;
  const name = [card.tag, card.run, step, ...(count > 1 ? [sample] : [])].join("_");
  const compares = ownOther(card.key) !== null;
  return [
    {
      label: compares ? words.stopCompare : words.compareThis,
      icon: "compare",
      disabled,
      onSelect: () => chooseOther(card.key, compares ? null : firstForCard(card, series, choice.at)),
    },
    { label: words.download, icon: "download", disabled, onSelect: () => saveAddress(url, name) },
    { label: words.openAlone, icon: "link", disabled, onSelect: () => window.open(url, "_blank", "noopener") },
  ];
}
