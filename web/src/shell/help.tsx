// The help sheet of keys and gestures, generated from the table of shortcuts.

import type { JSX } from "preact";
import { keyLabel } from "../base/keys";
import { TIMESERIES_SHORTCUTS } from "../cards/charts/shortcuts";
import { KIND_SHORTCUTS } from "../cards/kind_shortcuts";
import { board } from "../state/board";
import { sheet } from "../state/layout";
import { texts, view } from "../state/view";
import { Dialog } from "../widgets/dialog";
import { SHORTCUTS } from "./actions";
import "./help.css";

const GROUPS = ["everywhere", "charts", "cards", "lists", "trials", "graphs"] as const;

/** Groups of pages with their own keys: listed first while the page is open. */
const OF_PAGE: Readonly<Record<string, (typeof GROUPS)[number]>> = { hparams: "trials", graphs: "graphs" };

type Row = { readonly label: string; readonly keys: readonly string[] };

/** The keys of a group, including those that charts and cards handle. */
function rowsOf(group: (typeof GROUPS)[number]): readonly Row[] {
  const { shell, timeseries, cards } = texts.value;
  if (group === "cards") return KIND_SHORTCUTS.map(({ keys, label }): Row => ({ keys, label: label(cards.shortcuts) }));
  const own = SHORTCUTS.filter((shortcut) => shortcut.group === group);
  const rows = own.map(({ keys, label }): Row => ({ keys, label: label(shell.help) }));
  if (group !== "charts") return rows;
  return [
    ...rows,
    ...TIMESERIES_SHORTCUTS.map(({ keys, label }): Row => ({ keys, label: label(timeseries.shortcuts) })),
  ];
}

export function Help(): JSX.Element {
  const words = texts.value.shell.help;
  const own = OF_PAGE[view.value.page];
  const groups = own === undefined ? GROUPS : [own, ...GROUPS.filter((group) => group !== own)];
  return (
    <Dialog
      title={words.title}
      wide
      testId="help"
      onClose={() => {
        sheet.value = null;
      }}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without a control inside, keys could not scroll it */}
      <div class="help" tabIndex={0}>
        {groups.map((group) => (
          <section key={group} class="help__group">
            <h3>{words.groups[group]}</h3>
            <dl>
              {rowsOf(group).map(({ label, keys }) => (
                <div key={label} class="help__row">
                  <dt>{label}</dt>
                  <dd>
                    {keys.map((one) => (
                      <kbd key={one}>{keyLabel(one)}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        {board.value !== null && <p class="help__version">{words.version(board.value.lightboard)}</p>}
      </div>
    </Dialog>
  );
}
