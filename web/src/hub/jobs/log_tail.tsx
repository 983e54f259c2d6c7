// The last lines of a job's log, for its overview; they follow while it runs.

import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { Job } from "../api/jobs";
import { spoken } from "../preferences";
import { link } from "../router";
import * as area from "../texts/job";
import { Console } from "./console";
import { LogLine } from "./log_line";
import "./log_tab.css";

const BYTES = 8192;
const LINES = 12;

export function LogTail({ job }: { readonly job: Job }): JSX.Element | null {
  const words = spoken(area);
  const console = useMemo(() => new Console(job.id, undefined, BYTES), [job.id]);
  useEffect(() => console.follow(), [console]);
  const version = console.version.value;
  const { lines } = console;
  // the first line may be cut
  const least = console.skipped.value > 0 ? 1 : 0;
  const first = Math.max(least, lines.count - LINES);
  const shown = Array.from({ length: Math.max(0, lines.count - first) }, (_, at) => lines.at(first + at));
  if (console.loaded.value && shown.length === 0) return null;
  return (
    <section class="panel" data-testid="log-tail" data-version={version}>
      <div class="job-board">
        <h2>{words.tail}</h2>
        <a href={link(["jobs", job.id], { tab: "log" })}>{words.wholeLog}</a>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled with the arrows */}
      <section class="log-tail" tabIndex={0} aria-label={words.tail}>
        {shown.map(
          (line, at) =>
            line !== undefined && (
              <LogLine key={first + at} line={line} number={0} topPx={0} needle="" current={false} />
            ),
        )}
      </section>
    </section>
  );
}
