// The environment of a job, searchable.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { TextField } from "../../widgets/text_field";
import { spoken } from "../preferences";
import * as area from "../texts/job";
import type { TabProperties } from "./job_page";

export function EnvironmentTab({ job }: TabProperties): JSX.Element {
  const words = spoken(area);
  const typed = useSignal("");
  if (job.environment === null) return <p class="panel panel__quiet">{words.environmentHidden}</p>;
  const all = Object.entries(job.environment).sort(([one], [other]) => (one < other ? -1 : 1));
  if (all.length === 0) return <p class="panel panel__quiet">{words.noEnvironment}</p>;
  const wanted = typed.value.trim().toLowerCase();
  const found = all.filter(([name, value]) => `${name}=${value}`.toLowerCase().includes(wanted));
  return (
    <section class="panel" data-testid="environment">
      <p class="panel__quiet">{words.environmentText}</p>
      <TextField
        label={words.findVariable}
        bare
        placeholder={words.findVariable}
        value={typed.value}
        onInput={(text) => {
          typed.value = text;
        }}
      />
      {found.length === 0 ? (
        <p class="panel__quiet">{words.noVariable}</p>
      ) : (
        <table class="environment">
          <thead class="aside-text">
            <tr>
              <th scope="col">{words.variable}</th>
              <th scope="col">{words.value}</th>
            </tr>
          </thead>
          <tbody>
            {found.map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
