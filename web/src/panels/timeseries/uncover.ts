// Opens what hides a searched chart, one thing at a time.

import { parseCardKey } from "../../state/card_keys";
import { cardGroups, isBeside, setOpen, tagSections } from "../../state/cards";
import { changeView, view } from "../../state/view";

/** Removes one thing that hides the card; returns false if nothing hides it. */
export function uncover(key: string): boolean {
  const { hiddenCards, tagFilter } = view.value;
  if (hiddenCards.includes(key)) {
    changeView({ hiddenCards: hiddenCards.filter((hidden) => hidden !== key) });
    return true;
  }
  const beside = isBeside(key) ? parseCardKey(key) : null;
  const tag = beside?.tag ?? key.slice("tag:".length);
  const path = tagSections.value.flatMap(({ blocks }) => blocks).find(({ tags }) => tags.includes(tag))?.path;
  if (path === undefined) {
    if (tagFilter === "") return false;
    changeView({ tagFilter: "" });
    return true;
  }
  const above = cardGroups.value.find(
    (group) => !group.open && (path === group.path || path.startsWith(`${group.path}/`)),
  );
  if (above === undefined) return false;
  setOpen(above, true);
  return true;
}
