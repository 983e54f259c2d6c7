// Dialog that lists the runs that are not trials, each with the reason.

import type { JSX } from "preact";
import { shownName } from "../../state/annotations";
import { trials } from "../../state/trials";
import { Dialog } from "../../widgets/dialog";
import { words } from "./words";

const MOST_ROWS = 500;

export function AbsentDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const t = words();
  return (
    <Dialog title={t.absentTitle} onClose={onClose} testId="absent-dialog" wide>
      <AbsentList />
    </Dialog>
  );
}

export function AbsentList(): JSX.Element {
  const t = words();
  const now = trials.value;
  const rows = (now?.absent ?? []).slice(0, MOST_ROWS);
  const more = (now?.absentTotal ?? 0) - rows.length;
  return (
    <ul class="absent-list">
      {rows.map(({ run, reason, detail }) => (
        <li key={run} data-absent-run={run}>
          <bdi>{shownName(run)}</bdi>
          <span>{t.whyRun[reason]?.(detail) ?? t.whyOther(reason)}</span>
        </li>
      ))}
      {more > 0 && <li>{t.absentMore(more)}</li>}
    </ul>
  );
}
