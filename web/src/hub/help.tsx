// The sheet of keys, made from the table of keys.

import type { JSX } from "preact";
import { keyLabel } from "../base/keys";
import { Dialog } from "../widgets/dialog";
import "./help.css";
import { HUB_KEYS, type KeyGroup } from "./keys";
import { spoken } from "./preferences";
import { helpOpen } from "./shell";
import * as area from "./texts/shell";

const GROUPS: readonly KeyGroup[] = ["everywhere", "list", "forms"];

export function HelpSheet(): JSX.Element {
  const words = spoken(area).keys;
  const close = (): void => {
    helpOpen.value = false;
  };
  return (
    <Dialog title={words.title} testId="help" onClose={close}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without a control inside, keys could not scroll it */}
      <div class="hub-help" tabIndex={0}>
        {GROUPS.map((group) => (
          <section key={group}>
            <h3>{words.groups[group]}</h3>
            <dl>
              {HUB_KEYS.filter((one) => one.group === group).map(({ keys, label }) => (
                <div key={label} class="hub-help__row">
                  <dt>{words[label]}</dt>
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
      </div>
    </Dialog>
  );
}
