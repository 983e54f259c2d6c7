// Offers to group runs that differ only in their seed: a line above the run list, until the user groups or dismisses it.

import { computed, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { board } from "../../state/board";
import { differingHparams, hparams, wantHparams } from "../../state/run_columns";
import { passingRuns } from "../../state/run_filter";
import { type SeedGroups, seedsInHparams, seedsInNames } from "../../state/run_seeds";
import { changeView, member, texts } from "../../state/view";
import { Button } from "../../widgets/button";
import "./seed_offer.css";

const group = member("group");

// on larger boards hparams are not loaded only for this
const MANY_RUNS = 2000;

const inNames = computed<SeedGroups | null>(() => (group.value === "" ? seedsInNames(passingRuns.value) : null));

const inHparams = computed<SeedGroups | null>(() => {
  const known = hparams.value;
  if (group.value !== "" || known === null) return null;
  return seedsInHparams(passingRuns.value, known.names, differingHparams.value);
});

const needsHparams = computed(() => {
  const count = passingRuns.value.length;
  return group.value === "" && inNames.value === null && hparams.value === null && count > 1 && count <= MANY_RUNS;
});

export function SeedOffer(): JSX.Element | null {
  const t = texts.value.runs;
  const dismissed = useSignal(readDismissed());
  const needed = needsHparams.value;
  useEffect(() => (needed ? wantHparams() : undefined), [needed]);
  const offer = inNames.value ?? inHparams.value;
  if (offer === null) return null;
  const key = `${board.value?.logdir ?? ""}\n${offer.by}`;
  if (dismissed.value.includes(key)) return null;
  return (
    <div class="seed-offer" data-testid="seed-offer">
      <span class="seed-offer__text">{t.seedOffer(offer.groups, offer.seeds, offer.even)}</span>
      <Button label={t.seedGroup} kind="quiet" title={t.groupHint} onClick={() => changeView({ group: offer.by })} />
      <Button
        icon="close"
        kind="quiet"
        title={t.seedDismiss}
        onClick={() => {
          dismissed.value = [...dismissed.value, key];
          writeDismissed(dismissed.value);
        }}
      />
    </div>
  );
}

const MEMORY = "lightboard.seed-offers";
const MOST_REMEMBERED = 100;

function readDismissed(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(MEMORY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one): one is string => typeof one === "string") : [];
  } catch {
    return [];
  }
}

function writeDismissed(keys: readonly string[]): void {
  try {
    localStorage.setItem(MEMORY, JSON.stringify(keys.slice(-MOST_REMEMBERED)));
  } catch {
    // no access to storage: lasts as long as the page
  }
}
