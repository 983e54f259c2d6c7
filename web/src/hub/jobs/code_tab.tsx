// The code of a job: its commit, and what was changed but not committed.

import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { JobGit } from "../api/jobs";
import { CopyButton } from "../parts/copy_button";
import { type Fact, Facts } from "../parts/facts";
import { grouped, spoken } from "../preferences";
import * as area from "../texts/job";
import { type DiffFile, parseDiff } from "./diff";
import type { TabProperties } from "./job_page";

/** Longer files are closed at first. */
const OPEN_LINES = 400;

export function CodeTab({ job }: TabProperties): JSX.Element {
  const words = spoken(area);
  const { git } = job;
  if (git === null || git.commit === "")
    return (
      <section class="panel">
        <p class="panel__quiet">{words.noGit}</p>
      </section>
    );
  const facts: readonly Fact[] = [
    [
      words.commit,
      <span class="facts__copy">
        <code>{git.commit}</code>
        <CopyButton text={() => git.commit} />
      </span>,
    ],
    ...(git.branch === "" ? [] : [[words.branch, <code>{git.branch}</code>] as const]),
    ...(git.remote === "" ? [] : [[words.remote, <code>{git.remote}</code>] as const]),
  ];
  return (
    <>
      <section class="panel" data-testid="git">
        <Facts facts={facts} />
      </section>
      <Changes git={git} may={job.may.includes("logs")} />
    </>
  );
}

function Changes({ git, may }: { readonly git: JobGit; readonly may: boolean }): JSX.Element {
  const words = spoken(area);
  const files = useMemo(() => parseDiff(git.diff), [git.diff]);
  return (
    <section class="panel" data-testid="diff">
      <div class="job-board">
        <h2>{words.dirty}</h2>
        {git.diff !== "" && <CopyButton text={() => git.diff} label={words.copyDiff} kind="plain" />}
      </div>
      {!git.dirty && <p class="panel__quiet">{words.clean}</p>}
      {git.dirty && !may && <p class="panel__quiet">{words.diffHidden}</p>}
      {git.diff_cut && <p class="panel__quiet">{words.diffCut}</p>}
      <div>
        {files.map((file, at) => (
          <File key={`${at} ${file.name}`} file={file} />
        ))}
      </div>
    </section>
  );
}

function File({ file: { name, lines, added, removed } }: { readonly file: DiffFile }): JSX.Element {
  return (
    <details class="diff-file" open={lines.length <= OPEN_LINES}>
      <summary>
        <span class="diff-file__name">{name}</span>
        <span class="diff-file__added">+{grouped(added)}</span>
        <span class="diff-file__removed">−{grouped(removed)}</span>
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled with the arrows */}
      <section class="diff" tabIndex={0} aria-label={spoken(area).diffLabel(name)}>
        <div class="diff__lines">
          {lines.map(({ kind, text }, at) => (
            <div key={at} class={`diff__line diff__line--${kind}`}>
              {text === "" ? " " : text}
            </div>
          ))}
        </div>
      </section>
    </details>
  );
}
