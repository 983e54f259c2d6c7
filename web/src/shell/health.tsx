// The list of faults in the logs: files, offsets, reasons; to read and to copy.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { board, faults } from "../state/board";
import { askedOf, explainedText, reasonOf, sentenceOf } from "../state/explained";
import { type Health as HealthAnswer, loadHealth, type Place, type SickFile } from "../state/health";
import { sheet } from "../state/layout";
import { texts } from "../state/view";
import { Button } from "../widgets/button";
import { copyText } from "../widgets/clipboard";
import { Dialog } from "../widgets/dialog";
import { Icon } from "../widgets/icons";
import "./health.css";
import { unshownTexts } from "./unshown";

// longer lists are not readable; the copied text has all files
const MOST_FILES = 100;
const MOST_FAULTS = 10;

export function Health(): JSX.Element {
  const words = texts.value.shell.health;
  const answer = useSignal<HealthAnswer | null>(null);
  const failure = useSignal<string | null>(null);
  const copied = useSignal(false);
  const count = faults.value;
  useEffect(() => {
    void count; // load again when the count changes
    loadHealth().then(
      (told) => {
        answer.value = told;
        failure.value = null;
      },
      (error: Error) => {
        failure.value = reasonOf(error);
      },
    );
  }, [count, answer, failure]);
  const told = answer.value;
  return (
    <Dialog
      title={words.title}
      wide
      testId="health"
      onClose={() => {
        sheet.value = null;
      }}
      actions={
        told !== null && (
          <Button
            label={copied.value ? words.copied : words.copy}
            icon={copied.value ? "check" : "copy"}
            title={words.copy}
            onClick={() => void copyText(asText(told)).then((done) => (copied.value = done))}
          />
        )
      }
    >
      {failure.value !== null && <p class="health__failure">{failure.value}</p>}
      {told === null && failure.value === null && <p>{words.checking}</p>}
      {told !== null && <Report told={told} />}
    </Dialog>
  );
}

function Report({ told }: { readonly told: HealthAnswer }): JSX.Element {
  const words = texts.value.shell.health;
  // what a notice says already is not repeated
  const places = (board.value?.places ?? []).filter(
    ({ problem, code }) => problem !== null && problem !== "empty" && !code.startsWith("logdir."),
  );
  const notices = [
    ...places.map((place) => ({ text: placeText(place), asked: "" })),
    ...told.notices.map((notice) => ({ text: explainedText(notice), asked: askedText(notice) })),
  ];
  return (
    <div class="health">
      {told.files.length === 0 && notices.length === 0 && (
        <p class="health__good">
          <Icon name="check" /> {words.good}
        </p>
      )}
      {told.files.length > 0 && <p class="health__intro">{words.intro}</p>}
      {told.files.slice(0, MOST_FILES).map((file) => (
        <File key={file.path} file={file} />
      ))}
      {told.files.length > MOST_FILES && <p>{words.moreFiles(told.files.length - MOST_FILES)}</p>}
      {notices.length > 0 && (
        <section>
          <h3>{words.notices}</h3>
          <ul>
            {notices.map((notice) => (
              <li key={notice.text}>
                {notice.text}
                {notice.asked !== "" && <div class="health__count">{notice.asked}</div>}
              </li>
            ))}
          </ul>
        </section>
      )}
      <Unshown />
    </div>
  );
}

/** Files that were found, but that no page shows. */
function Unshown(): JSX.Element | null {
  const words = texts.value.shell.unshown;
  const found = unshownTexts();
  if (found.length === 0) return null;
  return (
    <section data-testid="unshown">
      <h3>{words.heading}</h3>
      <ul>
        {found.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </section>
  );
}

function File({ file }: { readonly file: SickFile }): JSX.Element {
  const words = texts.value.shell.health;
  const more = Math.max(file.bad_records, file.faults.length) - Math.min(file.faults.length, MOST_FAULTS);
  return (
    <section class="health__file">
      <h3 class="health__path">{file.path}</h3>
      <p class="health__count">{words.records(file.records, Math.max(file.bad_records, file.faults.length))}</p>
      <ul class="health__faults">
        {file.faults.slice(0, MOST_FAULTS).map((fault) => (
          <li key={`${fault.offset} ${fault.reason}`}>
            {words.offset(fault.offset)}: {sentenceOf(fault)}
          </li>
        ))}
        {more > 0 && <li>{words.more(more)}</li>}
      </ul>
    </section>
  );
}

/** "Tried to: list objects · As: secret “team” · At: http://minio:9000" */
function askedText(notice: HealthAnswer["notices"][number]): string {
  const words = texts.value.shell.sources;
  const { action, who, where } = askedOf(notice);
  const parts = [
    [words.tried, action],
    [words.as, who],
    [words.at, where],
  ];
  return parts.flatMap(([label, text]) => (text === "" ? [] : [`${label}: ${text}`])).join(" · ");
}

function placeText(place: Place): string {
  return `${place.path}: ${sentenceOf(place)}`;
}

/** Text for a bug report to the author of the files: one line per fault. */
function asText(told: HealthAnswer): string {
  const lines = told.files.flatMap((file) => [
    `${file.path}  (run ${file.run}; ${file.records} records read, ${file.bad_records} bad)`,
    ...file.faults.map((fault) => `  byte ${fault.offset}  ${fault.reason}: ${fault.detail}`),
  ]);
  return [...lines, ...told.notices.map(({ message }) => message)].join("\n");
}
