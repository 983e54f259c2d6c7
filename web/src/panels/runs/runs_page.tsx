import type { JSX } from "preact";

export function RunsPage(): JSX.Element {
  return <main class="runs_page" />;
}
