// Boxes and masks that were logged with an image, drawn over it. They stay sharp at every zoom, because they are not
// part of its pixels.

import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { colorOfName } from "../../base/color";
import type { ImageBox, ImageFacts, ImageMask } from "../../state/media";
import "./overlays.css";
import { placeClass, placeStyle } from "./picture";
import type { Drawn } from "./zoom";

// the colors of the dark theme are visible on images of any brightness
const THEME = "dark";
const LABEL_PX = 12;
// size of labels on a fitted image, as a fraction of its longer side
const LABEL_SHARE = 1 / 26;
const MASK_ALPHA = 115;

type Properties = { readonly facts: ImageFacts; readonly drawn: Drawn | null };

export function Overlays({ facts, drawn }: Properties): JSX.Element | null {
  const { width_px: width, height_px: height, boxes, masks } = facts;
  if (width === null || height === null) return null;
  const letterPx = drawn === null ? Math.max(width, height) * LABEL_SHARE : (LABEL_PX * width) / drawn.widthPx;
  return (
    <>
      {masks.map((mask) => (
        <Mask key={mask.name} mask={mask} drawn={drawn} />
      ))}
      <svg
        class={placeClass(drawn, false)}
        style={placeStyle(drawn)}
        viewBox={`0 0 ${width} ${height}`}
        aria-hidden="true"
        data-testid="overlays"
        data-boxes={boxes.length}
        data-masks={masks.length}
      >
        {boxes.map((box, at) => (
          <Box key={at} box={box} letterPx={letterPx} />
        ))}
      </svg>
    </>
  );
}

function boxColor({ group, label }: ImageBox): string {
  return colorOfName(group === "" ? label : group, THEME);
}

function Box({ box, letterPx }: { readonly box: ImageBox; readonly letterPx: number }): JSX.Element {
  const color = boxColor(box);
  const left = Math.min(box.left, box.right);
  const top = Math.min(box.top, box.bottom);
  const words = [box.label, box.score === null ? "" : box.score.toFixed(2)].filter((word) => word !== "").join(" ");
  return (
    <g>
      <rect
        class="overlay-box"
        x={left}
        y={top}
        width={Math.abs(box.right - box.left)}
        height={Math.abs(box.bottom - box.top)}
        stroke={color}
      />
      {words !== "" && (
        <text
          class="overlay-label"
          x={left + letterPx * 0.15}
          y={Math.max(letterPx, top - letterPx * 0.25)}
          font-size={letterPx}
          fill={color}
          stroke-width={letterPx / 5}
        >
          {words}
        </text>
      )}
    </g>
  );
}

function Mask({ mask, drawn }: { readonly mask: ImageMask; readonly drawn: Drawn | null }): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let cancelled = false;
    bitmapOf(mask.png).then(
      (bitmap) => {
        if (!cancelled && canvas.current !== null) paint(canvas.current, bitmap, mask);
        bitmap.close();
      },
      // draw nothing for a mask that cannot be read
      () => {},
    );
    return () => {
      cancelled = true;
    };
  }, [mask]);
  return <canvas ref={canvas} class={placeClass(drawn, true)} style={placeStyle(drawn)} data-mask={mask.name} />;
}

function bitmapOf(base64: string): Promise<ImageBitmap> {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return createImageBitmap(new Blob([bytes], { type: "image/png" }));
}

function paint(canvas: HTMLCanvasElement, bitmap: ImageBitmap, { name, labels }: ImageMask): void {
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.drawImage(bitmap, 0, 0);
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height);
  const colors = new Map<number, readonly number[]>();
  for (let i = 0; i < pixels.data.length; i += 4) {
    const value = pixels.data[i] ?? 0;
    let color = colors.get(value);
    if (color === undefined) {
      color =
        value === 0 ? [0, 0, 0, 0] : [...rgbOf(colorOfName(labels[value] ?? `${name} ${value}`, THEME)), MASK_ALPHA];
      colors.set(value, color);
    }
    pixels.data.set(color, i);
  }
  context.putImageData(pixels, 0, 0);
}

let probe: CanvasRenderingContext2D | null = null;

/** Parses a color in any CSS syntax. */
function rgbOf(color: string): readonly number[] {
  probe ??= document.createElement("canvas").getContext("2d");
  if (probe === null) return [255, 0, 0];
  probe.fillStyle = color;
  probe.fillRect(0, 0, 1, 1);
  return [...probe.getImageData(0, 0, 1, 1).data.slice(0, 3)];
}
