// A nested config as a tree that can be folded, searched and copied.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { leavesOf, valueText } from "../../state/run_detail";
import { texts } from "../../state/view";
import { Button } from "../../widgets/button";
import { TextField } from "../../widgets/text_field";
import { copyText } from "./run_menu";
import "./config_tree.css";

type Properties = { readonly value: Readonly<Record<string, unknown>>; readonly empty: string };

// users search configs with thousands of entries
const MOST_LEAVES = 2000;

export function ConfigTree({ value, empty }: Properties): JSX.Element {
  const t = texts.value.runs;
  const search = useSignal("");
  const leaves = leavesOf(value);
  if (leaves.length === 0) return <p class="config-tree__empty">{empty}</p>;
  const wanted = search.value.trim().toLowerCase();
  const found = leaves.filter(
    ({ path, value: leaf }) => path.toLowerCase().includes(wanted) || valueText(leaf).toLowerCase().includes(wanted),
  );
  return (
    <div class="config-tree">
      <div class="config-tree__bar">
        <TextField
          label={t.search}
          placeholder={t.search}
          bare
          value={search.value}
          testId="config-search"
          onInput={(text) => (search.value = text)}
        />
        <Button
          label={t.copyJson}
          icon="copy"
          title={t.copyJson}
          onClick={() => void copyText(JSON.stringify(value, null, 2))}
        />
      </div>
      {wanted === "" && <Members value={value} />}
      {wanted !== "" && found.length === 0 && <p class="config-tree__empty">{t.noMatches}</p>}
      {wanted !== "" && found.length > 0 && (
        <dl class="config-tree__found">
          {found.slice(0, MOST_LEAVES).map(({ path, value: leaf }) => (
            <Leaf key={path} name={path} value={leaf} />
          ))}
        </dl>
      )}
    </div>
  );
}

function isNested(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some((one) => typeof one === "object" && one !== null);
  return Object.keys(value).length > 0;
}

function Members({ value }: { readonly value: Readonly<Record<string, unknown>> }): JSX.Element {
  const members = Object.entries(value);
  return (
    <ul class="config-tree__members">
      {members.slice(0, MOST_LEAVES).map(([name, inner]) => (
        <li key={name}>
          {isNested(inner) ? (
            <details open class="config-tree__branch">
              <summary>
                <bdi>{name}</bdi> <span class="config-tree__count">{Object.keys(inner).length}</span>
              </summary>
              <Members value={inner} />
            </details>
          ) : (
            <dl class="config-tree__one">
              <Leaf name={name} value={inner} />
            </dl>
          )}
        </li>
      ))}
    </ul>
  );
}

function Leaf({ name, value }: { readonly name: string; readonly value: unknown }): JSX.Element {
  const kind = value === null ? "null" : typeof value;
  return (
    <div class="config-tree__leaf">
      <dt>
        <bdi>{name}</bdi>
      </dt>
      <dd class={`config-tree__value config-tree__value--${kind}`}>{valueText(value)}</dd>
    </div>
  );
}
