// The page of tables.

import type { JSX } from "preact";
import { KindPage } from "../../cards/kind_page";
import { texts } from "../../state/view";

export function TablesPanel(): JSX.Element {
  return <KindPage kind="tables" words={texts.value.tables} card={() => <div />} />;
}
