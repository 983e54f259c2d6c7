// Messages of the hub, in which code stands between backticks.

import type { JSX } from "preact";

export function Marked({ text }: { readonly text: string }): JSX.Element {
  return <>{text.split("`").map((part, at) => (at % 2 === 1 ? <code key={`${at} ${part}`}>{part}</code> : part))}</>;
}
