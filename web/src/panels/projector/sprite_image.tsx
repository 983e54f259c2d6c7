// The picture of one point, cut from the sheet by the style sheet's means.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { embedding } from "../../state/projector";

const sizes = new Map<string, { readonly width: number; readonly height: number }>();

export function SpriteImage({ row, sizePx }: { readonly row: number; readonly sizePx: number }): JSX.Element | null {
  const sprite = embedding.value?.sprite ?? null;
  const address = sprite?.address ?? "";
  const [, again] = useState(0);
  useEffect(() => {
    if (address === "" || sizes.has(address)) return;
    const image = new Image();
    image.onload = () => {
      sizes.set(address, { width: image.naturalWidth, height: image.naturalHeight });
      again((n) => n + 1);
    };
    image.src = address;
  }, [address]);
  const sheet = sizes.get(address);
  if (sprite === null || sheet === undefined) return null;
  const perRow = Math.max(1, Math.floor(sheet.width / sprite.width));
  const scale = sizePx / Math.max(sprite.width, sprite.height);
  const [column, line] = [row % perRow, Math.floor(row / perRow)];
  return (
    <span
      class="sprite-image"
      aria-hidden="true"
      style={{
        width: `${sprite.width * scale}px`,
        height: `${sprite.height * scale}px`,
        backgroundImage: `url("${address}")`,
        backgroundSize: `${sheet.width * scale}px ${sheet.height * scale}px`,
        backgroundPosition: `${-column * sprite.width * scale}px ${-line * sprite.height * scale}px`,
      }}
    />
  );
}
