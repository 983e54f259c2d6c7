// The drawings on buttons: strokes on a 16 × 16 grid, in the colour of the text around them.

import type { JSX } from "preact";
import "./icons.css";

const PATHS = {
  pin: "M6 2.5h4M6.5 2.5v4L4.5 9h7l-2-2.5v-4M8 9v4.5",
  full: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  shrink: "M6 2.5V6H2.5M13.5 6H10V2.5M10 13.5V10h3.5M2.5 10H6v3.5",
  menu: "M8 3.2v.1M8 8v.1M8 12.8v.1",
  close: "M3.5 3.5l9 9M12.5 3.5l-9 9",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3l3.5 3.5",
  settings:
    "M2 4.5h6.5M12 4.5h2M2 11.5h2M7.5 11.5H14M10.2 2.8a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4zM5.8 9.8a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4z",
  share: "M8 9.5V2M5.2 4.5L8 1.7l2.8 2.8M4.5 7.5H3v6.5h10V7.5h-1.5",
  sun: "M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9",
  moon: "M13.2 9.6A5.7 5.7 0 0 1 6.4 2.8a5.7 5.7 0 1 0 6.8 6.8z",
  auto: "M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2zM8 2.2v11.6M8 5l2.5-1.8M8 8l4.6-3M8 11l5.5-3.4M8.8 13.4l3.8-2.3",
  help: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM6.2 6.3A1.8 1.8 0 1 1 8.6 8c-.4.2-.6.5-.6 1v.3M8 11.4v.1",
  chevron: "M4 6l4 4 4-4",
  eye: "M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8zM8 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6z",
  "eye-off":
    "M2.5 2.5l11 11M6 4.1A6 6 0 0 1 8 3.8c4 0 6.5 4.2 6.5 4.2a12 12 0 0 1-1.9 2.3M3.6 5.5A12 12 0 0 0 1.5 8S4 12.2 8 12.2a6 6 0 0 0 2.4-.5",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  check: "M3 8.5l3.2 3.2L13 4.8",
  download: "M8 2v7.5M5.2 7L8 9.8 10.8 7M3 10.5V14h10v-3.5",
  upload: "M8 9.8V2.3M5.2 5L8 2.2 10.8 5M3 10.5V14h10v-3.5",
  reset: "M3 8a5 5 0 1 1 1.6 3.7M3 12.5V9.2M3 8.6h.1M2.6 5v3.2h3.2",
  refresh: "M13.2 6.5A5.4 5.4 0 0 0 3.4 5.2M2.8 9.5a5.4 5.4 0 0 0 9.8 1.3M3.2 2.2v3.2h3.2M12.8 13.8v-3.2H9.6",
  table: "M2.5 3h11v10h-11zM2.5 6.3h11M2.5 9.6h11M6.3 6.3V13",
  tree: "M3 2.5v9h3M3 5.5h3M8 4h5.5v3H8zM8 10h5.5v3H8z",
  filter: "M2.5 3.5h11L9.5 8.2V13l-3-1.5V8.2z",
  group:
    "M5.5 3.2a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6zM1.8 13c0-2.2 1.6-3.4 3.7-3.4S9.2 10.8 9.2 13M10.5 3.5a2.1 2.1 0 0 1 0 4M11.5 9.7c1.7.3 2.8 1.4 2.8 3.3",
  link: "M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2.2-2.2a2.6 2.6 0 0 0-3.7-3.7l-.9.9M9.2 6.8a2.6 2.6 0 0 0-3.7 0L3.3 9a2.6 2.6 0 0 0 3.7 3.7l.9-.9",
  undo: "M5.5 3L2.5 6l3 3M2.8 6H9.5a3.5 3.5 0 0 1 0 7H6",
  redo: "M10.5 3l3 3-3 3M13.2 6H6.5a3.5 3.5 0 0 0 0 7H10",
  save: "M4 2.5h8v11.2L8 10.6l-4 3.1z",
  trash: "M2.8 4.5h10.4M6 4.5V2.8h4v1.7M4.2 4.5l.6 9h6.4l.6-9M6.7 7v4M9.3 7v4",
  edit: "M3 13l.6-2.8L11 2.8l2.2 2.2-7.4 7.4zM9.5 4.3l2.2 2.2",
  copy: "M6 5.5h7.5v8H6zM10 5.5v-3H2.5v8H6",
  star: "M8 2.2l1.8 3.7 4 .6-2.9 2.8.7 4L8 11.4l-3.6 1.9.7-4L2.2 6.5l4-.6z",
  drag: "M6 3.5v.1M10 3.5v.1M6 8v.1M10 8v.1M6 12.5v.1M10 12.5v.1",
  play: "M5 3l7.5 5L5 13z",
  warning: "M8 2.5L14.2 13.5H1.8zM8 6.5v3.2M8 11.6v.1",
  info: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 7.3v3.7M8 5v.1",
  columns: "M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10",
  compare: "M2.5 3h4.5v10H2.5zM9 3h4.5v10H9zM4 6h1.5M10.5 6H12M4 9h1.5",
  note: "M3 2.5h10v7.5l-3.5 3.5H3zM13 10H9.5v3.5M5.5 5.5h5M5.5 8h3",
  tag: "M2.5 2.5h5.3l5.9 5.9-5.3 5.3-5.9-5.9zM5.3 5.3v.1",
  archive: "M2 3h12v3H2zM3 6v7.5h10V6M6.5 9h3",
  left: "M10 3.5L5.5 8l4.5 4.5",
  right: "M6 3.5L10.5 8 6 12.5",
  up: "M3.5 10L8 5.5l4.5 4.5",
  down: "M3.5 6L8 10.5 12.5 6",
  sidebar: "M2.5 3h11v10h-11zM6.5 3v10",
  globe:
    "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM2 8h12M8 2c1.8 1.7 2.6 3.7 2.6 6S9.8 12.3 8 14c-1.8-1.7-2.6-3.7-2.6-6S6.2 3.7 8 2z",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg class={`icon icon--${name}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
