// Members of the images page.

import { choiceField, type Fields, flagField, jsonField, numberField } from "../fields";
import { type ComparedWith, isOther, record } from "./shared";

/** Zoom relative to the size that fits, and its center in the image (0 … 1 from the upper left corner). */
export type ImagesZoom = { readonly scale: number; readonly x: number; readonly y: number };

export const IMAGES_LAYOUTS = ["cards", "grid"] as const;

/** How two images are compared. */
export const IMAGES_MODES = ["side", "swipe", "blink", "difference"] as const;

export type ImagesMembers = {
  readonly imagesActual: boolean;
  readonly imagesBrightness: number;
  readonly imagesContrast: number;
  readonly imagesLayout: (typeof IMAGES_LAYOUTS)[number];
  /** Size of a cell of the grid in pixels. */
  readonly imagesCell: number;
  /** Zoom of all images; null: not zoomed. */
  readonly imagesZoom: ImagesZoom | null;
  /** All images are zoomed together; otherwise each individually. */
  readonly imagesLink: boolean;
  /** Zoom of individually zoomed images, by card. */
  readonly imagesZoomOf: Readonly<Record<string, ImagesZoom>>;
  /** What images are compared with, by card; "" is the entry for all cards without their own. */
  readonly imagesCompare: Readonly<Record<string, ComparedWith>>;
  readonly imagesMode: (typeof IMAGES_MODES)[number];
  /** Position of the divider: 0 at the left edge, 1 at the right one. */
  readonly imagesSwipe: number;
  /** Milliseconds for which each of two images is shown. */
  readonly imagesBlink: number;
  /** Factor by which differences are multiplied. */
  readonly imagesAmplify: number;
  /** Show boxes and masks that were logged with an image. */
  readonly imagesOverlays: boolean;
};

function isZoom(value: unknown): value is ImagesZoom {
  if (typeof value !== "object" || value === null) return false;
  const { scale, x, y } = value as Record<string, unknown>;
  const share = (one: unknown): boolean => typeof one === "number" && one >= 0 && one <= 1;
  return typeof scale === "number" && scale >= 1 && scale <= 256 && share(x) && share(y);
}

function parseZoom(value: unknown): ImagesZoom | null | undefined {
  return value === null || isZoom(value) ? value : undefined;
}

export const imagesMembers: Fields<ImagesMembers> = {
  imagesActual: flagField(false),
  imagesBrightness: numberField(1, 0, 4),
  imagesContrast: numberField(1, 0, 8),
  imagesLayout: choiceField(IMAGES_LAYOUTS, "cards"),
  imagesCell: numberField(160, 80, 640),
  imagesZoom: jsonField<ImagesZoom | null>(null, parseZoom),
  imagesLink: flagField(true),
  imagesZoomOf: jsonField<Readonly<Record<string, ImagesZoom>>>({}, record(isZoom)),
  imagesCompare: jsonField<Readonly<Record<string, ComparedWith>>>({}, record(isOther)),
  imagesMode: choiceField(IMAGES_MODES, "side"),
  imagesSwipe: numberField(0.5, 0, 1),
  imagesBlink: numberField(700, 200, 5000),
  imagesAmplify: numberField(1, 1, 64),
  imagesOverlays: flagField(true),
};
