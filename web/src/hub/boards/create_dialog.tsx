import type { JSX } from "preact";

export function CreateDialog(): JSX.Element {
  return <div />;
}
