// The code of a run, and of several runs side by side: commit, branch, changes that were not committed.

import type { JSX } from "preact";
import { RunName } from "../../cards/run_name";
import { changedLines, codeOf, type RunCode } from "../../state/run_code";
import type { RunDetail } from "../../state/run_detail";
import { texts } from "../../state/view";
import { comparedNames } from "./compared_names";
import "./run_code.css";
import { RunHeads } from "./run_metrics";

export function Code({ metadata }: { readonly metadata: Readonly<Record<string, unknown>> }): JSX.Element | null {
  const t = texts.value.runs;
  const code = codeOf(metadata);
  if (code === null) return null;
  return (
    <>
      <table class="plain-table" data-testid="run-code">
        <tbody>
          {FACTS.filter((fact) => code[fact] !== "").map((fact) => (
            <tr key={fact}>
              <th scope="row">{t.codeFacts[fact]}</th>
              <td>
                <code>{code[fact]}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2 class="run-code__title">{t.uncommitted}</h2>
      <Changes code={code} />
    </>
  );
}

const FACTS = ["commit", "branch", "remote"] as const;

function Changes({ code }: { readonly code: RunCode }): JSX.Element {
  const t = texts.value.runs;
  if (code.diff === "") return <p class="run-code__none">{code.dirty ? t.changesNotRecorded : t.noChanges}</p>;
  return (
    <>
      <Diff text={code.diff} />
      {code.cut && <p class="run-code__none">{t.changesCut}</p>}
    </>
  );
}

const MOST_LINES = 4000;

function Diff({ text }: { readonly text: string }): JSX.Element {
  const lines = text.split("\n");
  return (
    <pre class="run-code__diff" dir="ltr">
      {lines.slice(0, MOST_LINES).map((line, i) => (
        <span key={i} class={kindOf(line)}>{`${line}\n`}</span>
      ))}
      {lines.length > MOST_LINES && "…"}
    </pre>
  );
}

function kindOf(line: string): string | undefined {
  if (/^(diff |index |--- |\+\+\+ )/.test(line)) return "run-code__file";
  if (line.startsWith("@@")) return "run-code__place";
  if (line.startsWith("+")) return "run-code__added";
  return line.startsWith("-") ? "run-code__removed" : undefined;
}

type Properties = { readonly runs: readonly string[]; readonly details: ReadonlyMap<string, RunDetail> };

/** Nothing if no run recorded its code. */
export function CodeComparison({ runs, details }: Properties): JSX.Element | null {
  const t = texts.value.runs;
  const codes = runs.map((run) => {
    const detail = details.get(run);
    return detail !== undefined && "run" in detail ? codeOf(detail.run.metadata) : null;
  });
  if (codes.every((code) => code === null)) return null;
  const [first] = codes;
  const same = (one: RunCode | null): boolean => one?.commit === first?.commit && one?.diff === first?.diff;
  const rows = [
    ...FACTS.map((fact) => [t.codeFacts[fact], codes.map((code) => code?.[fact] ?? "")] as const),
    [t.uncommitted, codes.map(changesText)] as const,
  ].filter(([, values]) => values.some((value) => value !== ""));
  const alike = codes.every(same);
  return (
    <>
      <h2 class="compare-page__title">{t.code}</h2>
      {alike && <p class="run-code__none">{t.sameCode}</p>}
      <table class="plain-table compare-table" data-testid="compare-code">
        <thead>
          <tr>
            <th>{t.code}</th>
            <RunHeads runs={runs} />
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, values]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {values.map((value, at) => (
                <td key={runs[at]} class={value !== values[0] ? "compare-table__other" : undefined}>
                  {value === "" ? (
                    <span class="compare-table__none">–</span>
                  ) : (
                    <code title={value}>{short(value)}</code>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {(alike ? runs.slice(0, 1) : runs).map((run, at) => {
        const code = codes[at];
        if (!code || code.diff === "") return null;
        return (
          <details key={run} class="run-code__changes">
            <summary>
              {t.uncommitted}
              {!alike && (
                <>
                  {": "}
                  <RunName run={run} among={comparedNames(runs)} />
                </>
              )}
            </summary>
            <Changes code={code} />
          </details>
        );
      })}
    </>
  );
}

function changesText(code: RunCode | null): string {
  if (code === null) return "";
  if (code.diff === "") return code.dirty ? texts.value.runs.changesNotRecorded : texts.value.runs.noChanges;
  const { added, removed } = changedLines(code.diff);
  return `+${added} −${removed}`;
}

/** A commit as git shortens it. */
function short(value: string): string {
  return /^[0-9a-f]{40}$/.test(value) ? value.slice(0, 10) : value;
}
