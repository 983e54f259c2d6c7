// One image in its frame: fitted by CSS, or placed by the zoom.

import type { JSX } from "preact";
import { member } from "../../state/view";
import type { Loaded } from "./loaded_picture";
import type { Drawn } from "./zoom";

const brightness = member("imagesBrightness");
const contrast = member("imagesContrast");

export function lookStyle(): { readonly filter: string } | undefined {
  const plain = brightness.value === 1 && contrast.value === 1;
  return plain ? undefined : { filter: `brightness(${brightness.value}) contrast(${contrast.value})` };
}

export function placeStyle(drawn: Drawn | null): Readonly<Record<string, string>> {
  if (drawn === null) return {};
  return {
    width: `${drawn.widthPx}px`,
    height: `${drawn.heightPx}px`,
    transform: `translate(${drawn.leftPx}px, ${drawn.topPx}px)`,
  };
}

export function placeClass(drawn: Drawn | null, pixelated: boolean): string {
  return `picture${drawn === null ? "" : " picture--placed"}${pixelated ? " picture--pixelated" : ""}`;
}

type Properties = {
  readonly picture: Loaded;
  readonly label: string;
  readonly drawn: Drawn | null;
  readonly pixelated: boolean;
  /** "A" or "B" if two images are compared. */
  readonly letter?: string | undefined;
  readonly hidden?: boolean | undefined;
  /** CSS clip path of the visible part; undefined: not clipped. */
  readonly clip?: string | undefined;
};

export function Picture(properties: Properties): JSX.Element {
  const { picture, label, drawn, pixelated, letter, hidden = false, clip } = properties;
  const image = (
    <img
      class={`${placeClass(drawn, pixelated)}${hidden ? " picture--hidden" : ""}`}
      src={picture.url}
      alt={label}
      draggable={false}
      style={{ ...lookStyle(), ...placeStyle(drawn) }}
      data-letter={letter}
      data-drawn={picture.drawn}
      data-step={picture.step}
    />
  );
  return clip === undefined ? (
    image
  ) : (
    <div class="picture-clip" style={{ clipPath: clip }}>
      {image}
    </div>
  );
}
