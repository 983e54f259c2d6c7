// The form of a row in the table of keys (actions.ts): its action, and its text in the help sheet.

import type { BoundKeys } from "../base/keys";
import type { Texts } from "../state/texts";

export type Shortcut = BoundKeys & {
  readonly label: (help: Texts["shell"]["help"]) => string;
  readonly group: keyof Texts["shell"]["help"]["groups"];
};
