// Event files of a run, and their faults.

import type { JSX } from "preact";
import { sentenceOf } from "../../state/explained";
import type { RunDetail } from "../../state/run_detail";
import { texts } from "../../state/view";
import { Icon } from "../../widgets/icons";
import { formatBytes } from "./format";
import { Moment } from "./moment";

type Files = Extract<RunDetail, { readonly run: unknown }>["run"]["files"];

export function FilesTable({ files }: { readonly files: Files }): JSX.Element {
  const t = texts.value.runs;
  return (
    <table class="plain-table">
      <thead>
        <tr>
          <th>{t.file}</th>
          <th class="plain-table__number">{t.size}</th>
          <th class="plain-table__number">{t.records}</th>
          <th class="plain-table__number">{t.damaged}</th>
          <th>{t.started}</th>
          <th>{t.lastData}</th>
        </tr>
      </thead>
      <tbody>
        {files.map((file) => (
          <tr key={file.path}>
            <td>
              <code>{file.path}</code>
            </td>
            <td class="plain-table__number" title={String(file.size)}>
              {formatBytes(file.size)}
            </td>
            <td class="plain-table__number">{file.records}</td>
            <td class="plain-table__number">{file.bad_records}</td>
            <td>
              <Moment seconds={file.start_time} />
            </td>
            <td>
              <Moment seconds={file.last_time} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function HealthTable({ files, faults }: { readonly files: Files; readonly faults: number }): JSX.Element {
  const t = texts.value.runs;
  if (faults === 0) {
    return (
      <p class="run-page__healthy">
        <Icon name="check" /> {t.healthy}
      </p>
    );
  }
  return (
    <>
      <p class="run-page__unhealthy">
        <Icon name="warning" /> {t.unhealthy(faults)}
      </p>
      <table class="plain-table" data-testid="faults">
        <thead>
          <tr>
            <th>{t.file}</th>
            <th class="plain-table__number">{t.offset}</th>
            <th>{t.reason}</th>
          </tr>
        </thead>
        <tbody>
          {files.flatMap((file) =>
            file.faults.map((fault) => (
              <tr key={`${file.path}:${fault.offset}`}>
                <td>
                  <code>{file.path}</code>
                </td>
                <td class="plain-table__number">{fault.offset}</td>
                <td>{sentenceOf(fault)}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </>
  );
}
