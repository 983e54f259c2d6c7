// The image of one point, cut from the sprite sheet with CSS.

import type { JSX } from "preact";
import { embedding } from "../../state/projector";

export function SpriteImage({ row, sizePx }: { readonly row: number; readonly sizePx: number }): JSX.Element | null {
  const sprite = embedding.value?.sprite ?? null;
  if (sprite === null || sprite.sheet_width === 0) return null;
  const perRow = Math.max(1, Math.floor(sprite.sheet_width / sprite.width));
  const scale = sizePx / Math.max(sprite.width, sprite.height);
  const [column, line] = [row % perRow, Math.floor(row / perRow)];
  return (
    <span
      class="sprite-image"
      aria-hidden="true"
      style={{
        width: `${sprite.width * scale}px`,
        height: `${sprite.height * scale}px`,
        backgroundImage: `url("${sprite.address}")`,
        backgroundSize: `${sprite.sheet_width * scale}px ${sprite.sheet_height * scale}px`,
        backgroundPosition: `${-column * sprite.width * scale}px ${-line * sprite.height * scale}px`,
      }}
    />
  );
}
