// Members of the page as a whole.

import { choiceField, type Fields, textField } from "../fields";

export const THEMES = ["auto", "light", "dark"] as const;

export type BoardMembers = {
  /** Key of the card that fills the page; "" for none. */
  readonly full: string;
  readonly theme: (typeof THEMES)[number];
};

export const boardMembers: Fields<BoardMembers> = {
  full: textField(),
  theme: choiceField(THEMES, "auto"),
};
