// The page of text.

import type { JSX } from "preact";
import { KindPage } from "../../cards/kind_page";
import { texts } from "../../state/view";

export function TextPanel(): JSX.Element {
  return <KindPage kind="text" words={texts.value.text} card={() => <div />} />;
}
