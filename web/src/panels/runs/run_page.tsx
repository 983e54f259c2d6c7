import type { JSX } from "preact";

export function RunPage(): JSX.Element {
  return <main class="run_page" />;
}
