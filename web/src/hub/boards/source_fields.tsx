// The fields of a board's sources, each with what the hub finds there.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { formatBytes } from "../../base/sizes";
import { Button } from "../../widgets/button";
import { Icon } from "../../widgets/icons";
import { Select } from "../../widgets/select";
import { TextField } from "../../widgets/text_field";
import { listSecrets } from "../api/boards";
import type { Found, Source } from "../api/types";
import { sentenceFor, sentenceOf, upperFirst } from "../explained";
import { Marked } from "../parts/marked";
import { agoText, grouped, spoken } from "../preferences";
import { link } from "../router";
import { me } from "../session";
import * as area from "../texts/create";
import { NO_SOURCE } from "./drafts";
import { type Check, useSourceChecks } from "./source_checks";
import "./source_fields.css";

type Properties = {
  readonly workspace: string;
  readonly sources: readonly Source[];
  readonly onChange: (sources: readonly Source[]) => void;
  readonly onEnter: () => void;
  readonly autoFocus?: boolean;
  /** Shown below the first address, such as "Enter an address". */
  readonly missing?: string;
};

export function SourceFields(properties: Properties): JSX.Element {
  const { workspace, sources, onChange } = properties;
  const words = spoken(area);
  const checks = useSourceChecks(workspace, sources);
  const secrets = useSecrets(workspace);
  const box = useRef<HTMLDivElement>(null);
  const count = useRef(sources.length);
  useEffect(() => {
    // the field of a source that was added
    const inputs = box.current?.querySelectorAll<HTMLInputElement>(".source__uri input");
    if (sources.length > count.current) inputs?.[sources.length - 1]?.focus();
    count.current = sources.length;
  }, [sources.length]);
  const change = (at: number, part: Partial<Source>): void =>
    onChange(sources.map((source, place) => (place === at ? { ...source, ...part } : source)));
  return (
    <div ref={box} class="sources">
      {sources.map((source, at) => (
        <SourceField
          key={at}
          number={at + 1}
          source={source}
          only={sources.length === 1}
          secrets={secrets}
          check={checks.of(source)}
          workspace={workspace}
          missing={at === 0 ? properties.missing : undefined}
          autoFocus={at === 0 && properties.autoFocus === true}
          onEnter={properties.onEnter}
          onChange={(part) => change(at, part)}
          onRemove={() => onChange(sources.filter((_, place) => place !== at))}
        />
      ))}
      <div class="sources__more">
        <Button
          icon="plus"
          label={words.addSource}
          title={words.addSource}
          kind="quiet"
          testId="add-source"
          onClick={() => onChange([...sources, NO_SOURCE])}
        />
        <a href={link(["workspaces", workspace], { tab: "secrets" })}>{words.newSecret}</a>
      </div>
    </div>
  );
}

/** Names of the workspace's secrets; none if the user may not see them. */
function useSecrets(workspace: string): readonly string[] {
  const names = useSignal<readonly string[]>([]);
  useEffect(() => {
    let over = false;
    names.value = [];
    if (workspace === "") return;
    listSecrets(workspace).then(
      ({ items }) => {
        if (!over) names.value = items.map(({ name }) => name);
      },
      () => {},
    );
    return () => {
      over = true;
    };
  }, [workspace]);
  return names.value;
}

type FieldProperties = {
  readonly number: number;
  readonly source: Source;
  readonly only: boolean;
  readonly secrets: readonly string[];
  readonly check: Check;
  readonly workspace: string;
  readonly missing: string | undefined;
  readonly autoFocus: boolean;
  readonly onEnter: () => void;
  readonly onChange: (part: Partial<Source>) => void;
  readonly onRemove: () => void;
};

function SourceField(properties: FieldProperties): JSX.Element {
  const { number, source, only, secrets, check, missing, onEnter, onChange, onRemove } = properties;
  const words = spoken(area);
  const title = only ? words.source : words.sourceNumber(grouped(number));
  // a secret that the user may not list, or that was deleted, stays visible
  const offered = source.secret === "" || secrets.includes(source.secret) ? secrets : [...secrets, source.secret];
  return (
    <fieldset class="source" aria-label={title} data-testid={`source-${number}`}>
      <div class="source__line">
        <div class="source__uri">
          <TextField
            label={title}
            value={source.uri}
            placeholder={words.placeholder}
            autoFocus={properties.autoFocus}
            testId={`uri-${number}`}
            onInput={(uri) => onChange({ uri })}
            onEnter={onEnter}
          />
        </div>
        {!only && (
          <Button
            icon="close"
            title={words.removeSource(grouped(number))}
            kind="quiet"
            testId={`remove-source-${number}`}
            onClick={onRemove}
          />
        )}
      </div>
      {only && source.uri === "" && <Examples onPick={(uri) => onChange({ uri })} />}
      <CheckResult check={check} missing={missing} />
      <div class="source__line source__line--more">
        {(offered.length > 0 || source.secret !== "") && (
          <Select
            label={words.secret}
            value={source.secret}
            options={[{ value: "", label: words.noSecret }, ...offered.map((name) => ({ value: name, label: name }))]}
            testId={`secret-${number}`}
            onChange={(secret) => onChange({ secret })}
          />
        )}
        {(!only || source.prefix !== "") && (
          <TextField
            label={words.prefix}
            value={source.prefix}
            placeholder={words.prefixPlaceholder}
            testId={`prefix-${number}`}
            onInput={(prefix) => onChange({ prefix })}
            onEnter={onEnter}
          />
        )}
      </div>
    </fieldset>
  );
}

const MOST_EXAMPLES = 4;

/** Volumes and directories of this hub, to start an address with a click. */
function Examples({ onPick }: { readonly onPick: (uri: string) => void }): JSX.Element | null {
  const words = spoken(area);
  const hub = me.value?.hub;
  const starts = [...(hub?.claims ?? []).map((name) => `pvc://${name}/`), ...(hub?.roots ?? []).map(withSlash)];
  if (starts.length === 0) return null;
  return (
    <p class="source__examples">
      {words.examples}
      {starts.slice(0, MOST_EXAMPLES).map((uri) => (
        <button
          key={uri}
          type="button"
          class="source__example"
          onClick={(event) => {
            const { currentTarget } = event;
            onPick(uri);
            currentTarget.closest("fieldset")?.querySelector("input")?.focus();
          }}
        >
          {uri}
        </button>
      ))}
    </p>
  );
}

function withSlash(path: string): string {
  return path.endsWith("/") ? path : `${path}/`;
}

function CheckResult({ check, missing }: { readonly check: Check; readonly missing: string | undefined }): JSX.Element {
  const words = spoken(area);
  const id = useId();
  const told = ((): JSX.Element | null => {
    if (missing !== undefined) return <Told tone="bad" text={missing} />;
    if (check.state === "waiting") return <Told tone="quiet" text={words.checking} />;
    if (check.state === "failed") return <Told tone="bad" text={sentenceOf(check.error).message} />;
    return check.state === "answered" ? <FoundThere found={check.found} /> : null;
  })();
  return (
    <div id={id} class="source__check" role="status" data-check={check.state}>
      {told}
    </div>
  );
}

const ICONS = { good: "check", quiet: "search", warn: "info", bad: "warning" } as const;

type ToldProperties = { readonly tone: keyof typeof ICONS; readonly text: string; readonly detail?: string };

function Told({ tone, text, detail = "" }: ToldProperties): JSX.Element {
  return (
    <div class={`source__told source__told--${tone}`} data-tone={tone}>
      <Icon name={ICONS[tone]} />
      <span>
        <span class="source__sentence">
          <Marked text={text} />
        </span>
        {detail !== "" && (
          <span class="source__detail">
            <Marked text={detail} />
          </span>
        )}
      </span>
    </div>
  );
}

function FoundThere({ found }: { readonly found: Found }): JSX.Element {
  const words = spoken(area);
  if (!found.ok || found.code !== "") {
    const { message, hint } = sentenceFor(found.code, found.message, found.hint);
    // the hub's own words name bucket, account and directory
    const own = upperFirst(found.message);
    const detail = own !== "" && own !== message && own !== hint ? `${own}. ${hint}` : hint;
    return <Told tone={found.ok ? "warn" : "bad"} text={message} detail={detail} />;
  }
  if (found.runs === 0 && found.files === 0) return <Told tone="warn" text={words.nothing} />;
  const files = grouped(found.files);
  const size = formatBytes(found.bytes);
  const counted = found.runs === 1 ? words.foundOne(files, size) : words.found(grouped(found.runs), files, size);
  const text = found.more ? words.atLeast(counted) : counted;
  const detail = [
    found.newest === null ? "" : words.newest(agoText(found.newest)),
    found.names.length === 0 ? "" : words.names(namesText(found)),
  ].filter((part) => part !== "");
  return <Told tone="good" text={text} detail={detail.join(" · ")} />;
}

function namesText({ names, runs }: Found): string {
  return names.join(", ") + (runs > names.length ? ", …" : "");
}
