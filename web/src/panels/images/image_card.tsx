// Inside of an image card: the picture of a step and sample, and the slider below it.

import type { JSX } from "preact";
import { openFull } from "../../cards/full_frame";
import type { KindCardProps } from "../../cards/kind_page";
import { SampleChoice } from "../../cards/sample_choice";
import { CardStep } from "../../cards/step_slider";
import { blobOf } from "../../state/blobs";
import { choiceOf, sampleOfCard } from "../../state/step_choice";
import { member, texts } from "../../state/view";
import { fileName, saveAddress } from "../../widgets/files";
import type { MenuItem } from "../../widgets/menu";
import "./image_card.css";
import { useLoadedPicture } from "./loaded_picture";
import { thumbnailWidth } from "./thumbnail";
import { ZoomView } from "./zoom_view";

const actual = member("imagesActual");
const brightness = member("imagesBrightness");
const contrast = member("imagesContrast");

/** What of the series the card shows now. */
function shownOf({ card, series }: Pick<KindCardProps, "card" | "series">) {
  const choice = choiceOf(card.key, series.steps);
  const count = series.counts[choice.at] ?? 0;
  const sample = sampleOfCard(card.key, count);
  return { choice, count, sample, step: String(series.steps[choice.at] ?? "") };
}

export function lookStyle(): { readonly filter: string } | undefined {
  const plain = brightness.value === 1 && contrast.value === 1;
  return plain ? undefined : { filter: `brightness(${brightness.value}) contrast(${contrast.value})` };
}

export function ImageCard(props: KindCardProps): JSX.Element {
  const { card, series, widthPx, full } = props;
  const words = texts.value.images;
  const { choice, count, sample, step } = shownOf(props);
  const whole = blobOf(card, series, choice.at, sample);
  const width = full || actual.value ? undefined : thumbnailWidth(widthPx, devicePixelRatio);
  const url = blobOf(card, series, choice.at, sample, { width });
  const picture = useLoadedPicture(count === 0 ? null : { url, whole, step });
  const shown = picture.shown.value;
  return (
    <>
      <div class="image-card__place">
        {count === 0 ? (
          <div class="card__message">{words.none}</div>
        ) : picture.failed.value ? (
          <div class="card__message" role="alert" data-step={step}>
            <strong>{words.cannotShow}</strong>
            <span>{words.cannotShowHint}</span>
            <a href={whole} download={fileName(`${card.tag}_${step}`, "")}>
              {words.download}
            </a>
          </div>
        ) : shown === null ? (
          <div class="kind-card__skeleton" />
        ) : full ? (
          <ZoomView picture={shown} label={card.tag} />
        ) : (
          <button
            type="button"
            class={actual.value ? "image-card__open image-card__open--actual" : "image-card__open"}
            title={words.open(card.tag)}
            onClick={() => openFull(card.key)}
          >
            <img
              class={
                shown.widthPx * 2 <= widthPx ? "image-card__picture image-card__picture--small" : "image-card__picture"
              }
              src={shown.url}
              alt={card.tag}
              style={lookStyle()}
              data-drawn={shown.drawn}
              data-step={shown.step}
            />
          </button>
        )}
        {picture.busy.value && <div class="card__busy" />}
      </div>
      <CardStep card={card} series={series} choice={choice} busy={picture.busy.value}>
        <SampleChoice card={card} at={sample} count={count} />
      </CardStep>
    </>
  );
}

export function imageMenu(props: KindCardProps): readonly MenuItem[] {
  const { card, series } = props;
  const words = texts.value.images;
  const { choice, count, sample, step } = shownOf(props);
  const url = blobOf(card, series, choice.at, sample);
  const disabled = count === 0;
  const name = [card.tag, card.run, step, ...(count > 1 ? [sample] : [])].join("_");
  return [
    { label: words.download, icon: "download", disabled, onSelect: () => saveAddress(url, name) },
    { label: words.openAlone, icon: "link", disabled, onSelect: () => window.open(url, "_blank", "noopener") },
  ];
}
