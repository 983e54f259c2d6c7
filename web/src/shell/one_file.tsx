// The dialog that saves the board as one HTML file. The file is prepared as soon as its content is chosen, so that its
// size is known before it is saved.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { formatBytes } from "../base/sizes";
import { sheet } from "../state/layout";
import { matchingTags, takeHtmlFile } from "../state/one_file";
import { allRuns } from "../state/run_facts";
import { drawnRuns } from "../state/runs";
import * as area from "../state/texts/one_file";
import { spoken, texts } from "../state/view";
import { Button } from "../widgets/button";
import { Checkbox } from "../widgets/checkbox";
import { Dialog } from "../widgets/dialog";
import { saveFile } from "../widgets/files";
import "./one_file.css";
import { fileStem } from "./view_files";

function close(): void {
  sheet.value = null;
}

export function HtmlFile(): JSX.Element {
  const words = spoken(area);
  const whole = useSignal(drawnRuns.peek().length === 0);
  const some = useSignal(true);
  const { taken, cancel } = useMemo(
    () => takeHtmlFile({ allRuns: whole.value, matchingTags: some.value }),
    [whole.value, some.value],
  );
  useEffect(() => cancel, [cancel]);
  const { file, problem } = taken.value;
  const size = file === null ? "" : formatBytes(file.size);
  const [drawn, all] = [drawnRuns.value.length, allRuns.value.length];
  const tags = matchingTags.value?.length ?? null;
  return (
    <Dialog
      title={words.title}
      testId="html-file"
      onClose={close}
      actions={
        <Button
          label={words.download(size)}
          icon="download"
          kind="primary"
          title={words.download(size)}
          disabled={file === null}
          onClick={() => {
            if (file !== null) saveFile(`${fileStem()}.html`, file);
            close();
          }}
        />
      }
    >
      <div class="html-file">
        <p>{words.hint}</p>
        {drawn > 0 && drawn < all && (
          <fieldset class="html-file__runs">
            <legend>{texts.value.runs.runs}</legend>
            {[false, true].map((choice) => (
              <label key={String(choice)} class="checkbox">
                <input
                  type="radio"
                  name="html-file-runs"
                  checked={whole.value === choice}
                  onChange={() => {
                    whole.value = choice;
                  }}
                />
                {choice ? words.allRuns(all) : words.runs(drawn)}
              </label>
            ))}
          </fieldset>
        )}
        {tags !== null && (
          <Checkbox
            label={words.tags(tags)}
            checked={some.value}
            onChange={(checked) => {
              some.value = checked;
            }}
          />
        )}
        <p class="html-file__note">{words.points}</p>
        <p role="status" class={problem === null ? undefined : "html-file__problem"}>
          {problem !== null ? `${problem.message} ${problem.hint}` : file === null && words.making}
        </p>
      </div>
    </Dialog>
  );
}
