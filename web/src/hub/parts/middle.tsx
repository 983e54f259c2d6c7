// A text in one line that is cut in its middle if there is no room: names of runs often differ only at their end.

import type { JSX } from "preact";
import "./middle.css";

const TAIL = 7;

export function Middle({ text }: { readonly text: string }): JSX.Element {
  const letters = [...text];
  if (letters.length < 2 * TAIL) return <span class="middle__head">{text}</span>;
  return (
    <>
      <span class="middle__head">{letters.slice(0, -TAIL).join("")}</span>
      <span class="middle__tail">{letters.slice(-TAIL).join("")}</span>
    </>
  );
}
