// The pages of boards with nothing to show: loading, empty, wrong directory, refused, hidden. situation.ts chooses one.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { formatBytes } from "../base/sizes";
import { type Board, type Problem, type Progress, reconnect } from "../state/board";
import { askedOf, causeOf, explained, explainedText } from "../state/explained";
import { allRuns } from "../state/runs";
import { changeView, texts, view } from "../state/view";
import { Button } from "../widgets/button";
import { Tabs } from "../widgets/tabs";
import { TextField } from "../widgets/text_field";
import { go } from "./actions";
import { kindTabs } from "./kinds";
import { progressText } from "./loading_bar";
import { Marked, Notice, Snippet } from "./notice";
import type { Situation } from "./situation";
import { LIBRARIES, type Library, snippetFor } from "./snippets";

type Place = Board["places"][number];

export function StatePage({ situation }: { readonly situation: Situation }): JSX.Element {
  switch (situation.kind) {
    case "reading":
      return <Reading progress={situation.progress} />;
    case "place":
      return <WrongPlace places={situation.places} />;
    case "empty":
      return <Empty places={situation.places} />;
    case "silent":
      return <Silent />;
    case "no scalars":
      return <NoScalars />;
    case "no match":
      return <NoMatch />;
    case "refused":
      return <Refused problem={situation.problem} />;
    case "unreachable":
      return <Unreachable />;
    case "failed":
      return <Failed problem={situation.problem} />;
    default:
      return <Starting />;
  }
}

function Starting(): JSX.Element {
  // most boards respond before a text could be read: the text is shown only after a delay
  return (
    <main class="starting" data-notice="starting" aria-busy="true">
      <p class="starting__word">{texts.value.shell.reading.title}</p>
    </main>
  );
}

function Reading({ progress }: { readonly progress: Progress }): JSX.Element {
  const words = texts.value.shell.reading;
  const share = progress.bytes_total === 0 ? 0 : progress.bytes_read / progress.bytes_total;
  return (
    <Notice title={words.title} state="reading">
      <div class="notice__meter">
        <div style={{ width: `${100 * Math.min(1, share)}%` }} />
      </div>
      <p>{progressText(progress)}</p>
      <p class="notice__quiet">{words.partial}</p>
    </Notice>
  );
}

function Waiting(): JSX.Element {
  return (
    <p class="notice__waiting" role="status">
      <span class="notice__pulse" />
      {texts.value.shell.empty.waiting}
    </p>
  );
}

function Places({ places }: { readonly places: readonly Place[] }): JSX.Element {
  const words = texts.value.shell.empty;
  return (
    <ul class="notice__places">
      {places.map((place) => (
        <li key={place.path} class="notice__place">
          <code>{place.path}</code>
          <span class="notice__quiet">{words.found(place.files, formatBytes(place.bytes))}</span>
          {SPECIAL_EMPTY.has(place.code) && (
            <p class="notice__why">{explainedText({ ...place, message: place.detail })}</p>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Reasons that say more than that there is no event file. */
const SPECIAL_EMPTY = new Set(["root.an_object", "root.listing", "root.no_events", "root.no_match", "root.nothing"]);

function Empty({ places }: { readonly places: readonly Place[] }): JSX.Element {
  const words = texts.value.shell.empty;
  return (
    <Notice title={words.title} icon="search" state="empty">
      <p>
        <Marked text={words.searched} />
      </p>
      <Places places={places} />
      <Waiting />
      <p>{words.log}</p>
      <LoggingSnippet folder={places[0]?.path ?? "runs"} />
    </Notice>
  );
}

function LoggingSnippet({ folder }: { readonly folder: string }): JSX.Element {
  const library = useSignal<Library>("lightboard");
  return (
    <div>
      <Tabs
        label={texts.value.shell.empty.log}
        tabs={LIBRARIES}
        selected={library.value}
        onSelect={(key) => {
          library.value = key;
        }}
      />
      <Snippet code={snippetFor(library.value, folder)} />
    </div>
  );
}

/** Sources elsewhere that cannot be read: each with the reason, what was asked, and what to do. */
function WrongSources({ places }: { readonly places: readonly Place[] }): JSX.Element {
  const words = texts.value.shell.sources;
  return (
    <Notice title={words.title(places.length)} icon="warning" tone="bad" state="source">
      {places.map((place) => (
        <WrongSource key={place.path} place={place} />
      ))}
      <p class="notice__waiting" role="status">
        <span class="notice__pulse" />
        {words.waiting}
      </p>
      <p>{words.doctor}</p>
      <Snippet code={`lightboard doctor ${quoted(places[0]?.path ?? "")}`} />
    </Notice>
  );
}

function WrongSource({ place }: { readonly place: Place }): JSX.Element {
  const words = texts.value.shell.sources;
  const why = causeOf(place) ?? { ...place, message: place.detail };
  const { message, hint } = explained(why);
  const { action, who, where, answer } = askedOf(why);
  const rows = [
    [words.tried, action],
    [words.as, who],
    [words.at, where],
    [words.answer, answer],
  ].filter(([, text]) => text !== "");
  return (
    <section class="notice__source" data-testid="wrong-source">
      <h3>
        <code>{place.path}</code>
      </h3>
      <p>{message}</p>
      {hint !== "" && <p class="notice__fix">{hint}</p>}
      {rows.length > 0 && (
        <dl>
          {rows.map(([label, text]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

function WrongPlace({ places }: { readonly places: readonly Place[] }): JSX.Element {
  const words = texts.value.shell.places;
  const elsewhere = places.filter(({ code }) => code.startsWith("logdir."));
  if (elsewhere.length > 0) return <WrongSources places={elsewhere} />;
  const [first] = places;
  const path = first?.path ?? "";
  const details = places.filter(({ detail }) => detail !== "").map((place) => `${place.path}: ${place.detail}`);
  return (
    <Notice title={wrongTitle(first)} icon="warning" tone="bad" state={`place-${first?.problem ?? ""}`}>
      <Places places={places} />
      <WrongText problem={first?.problem ?? null} path={path} />
      <Waiting />
      {details.length > 0 && (
        <details>
          <summary>{words.said}</summary>
          <pre>{details.join("\n")}</pre>
        </details>
      )}
    </Notice>
  );
}

function wrongTitle(place: Place | undefined): string {
  const words = texts.value.shell.places;
  if (place?.problem === "missing") return words.missingTitle;
  if (place?.problem === "permission") return words.permissionTitle;
  return words.otherTitle;
}

function WrongText({ problem, path }: { readonly problem: Place["problem"]; readonly path: string }): JSX.Element {
  const words = texts.value.shell.places;
  if (problem === "permission") {
    return (
      <>
        <p>{words.permission}</p>
        <p>{words.permissionFix}</p>
        <Snippet code={`chmod -R o+rX ${quoted(path)}`} />
      </>
    );
  }
  if (problem === "missing") {
    return (
      <>
        <p>{words.missing}</p>
        <p>{words.missingFix}</p>
        <Snippet code="lightboard --logdir path/to/runs" />
      </>
    );
  }
  const text = problem === "not_directory" || problem === "unsupported" ? words[problem] : words.unreadable;
  const folder = problem === "not_directory" ? path.replace(/\/[^/]*$/, "") || "/" : "path/to/runs";
  return (
    <>
      <p>{text}</p>
      <Snippet code={`lightboard --logdir ${quoted(folder)}`} />
    </>
  );
}

/** Quotes a path for a shell. */
function quoted(path: string): string {
  return /^[\w./~:@%+=-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function Silent(): JSX.Element {
  const words = texts.value.shell.empty;
  return (
    <Notice title={words.noTagsTitle} state="silent">
      <p>{words.noTags}</p>
      <Waiting />
    </Notice>
  );
}

function NoScalars(): JSX.Element {
  const words = texts.value.shell.empty;
  const others = kindTabs.value.filter((tab) => tab.count > 0);
  return (
    <Notice title={words.noScalarsTitle} state="no-scalars">
      <p>{words.noScalars}</p>
      <div class="notice__actions">
        {others.map((tab) => (
          <Button key={tab.kind} label={`${tab.label} (${tab.count})`} title={tab.label} onClick={() => go(tab.page)} />
        ))}
      </div>
    </Notice>
  );
}

function NoMatch(): JSX.Element {
  const words = texts.value.shell.nothing;
  return (
    <Notice title={words.noMatchTitle} icon="filter" state="no-match">
      <p>{words.noMatch(view.value.runFilter, allRuns.value.length)}</p>
      <div class="notice__actions">
        <Button label={words.clear} kind="primary" title={words.clear} onClick={() => changeView({ runFilter: "" })} />
      </div>
    </Notice>
  );
}

function Refused({ problem }: { readonly problem: Problem }): JSX.Element {
  const words = texts.value.shell.failed;
  const token = useSignal("");
  const open = (): void => {
    const search = new URLSearchParams({ token: token.value });
    // the server turns the token into a cookie and removes it from the URL
    location.assign(`${location.pathname}?${search}${location.hash}`);
  };
  return (
    <Notice title={words.refusedTitle} icon="warning" tone="bad" state="refused">
      <p>
        <Marked text={words.refused} />
      </p>
      <div class="notice__actions">
        <TextField
          label={words.token}
          value={token.value}
          onInput={(text) => {
            token.value = text;
          }}
          onEnter={open}
        />
        <Button label={words.enter} kind="primary" title={words.enter} disabled={token.value === ""} onClick={open} />
        <Retry />
      </div>
      <Details problem={problem} />
    </Notice>
  );
}

function Unreachable(): JSX.Element {
  const words = texts.value.shell.failed;
  return (
    <Notice title={words.unreachableTitle} icon="warning" tone="bad" state="unreachable">
      <p>
        <Marked text={words.unreachable} />
      </p>
      <div class="notice__actions">
        <Retry />
      </div>
    </Notice>
  );
}

function Failed({ problem }: { readonly problem: Problem }): JSX.Element {
  const words = texts.value.shell.failed;
  return (
    <Notice title={words.title} icon="warning" tone="bad" state="failed">
      <p>{problem.message}</p>
      {problem.hint !== "" && <p>{problem.hint}</p>}
      <div class="notice__actions">
        <Retry />
      </div>
    </Notice>
  );
}

function Retry(): JSX.Element {
  const words = texts.value.shell.failed;
  return <Button label={words.retry} icon="refresh" title={words.retry} onClick={reconnect} />;
}

function Details({ problem }: { readonly problem: Problem }): JSX.Element | null {
  const words = texts.value.shell.failed;
  if (problem.message === "") return null;
  return (
    <details>
      <summary>{words.details}</summary>
      <pre>{problem.hint === "" ? problem.message : `${problem.message}\n${problem.hint}`}</pre>
    </details>
  );
}
