import type { JSX } from "preact";

export function ComparePage(): JSX.Element {
  return <main class="compare_page" />;
}
