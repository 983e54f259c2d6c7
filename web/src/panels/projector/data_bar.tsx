// The toolbar: embedding, number of points, columns for labels and colors, load and save files.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { formatCount } from "../../base/numbers";
import {
  allColumns,
  brought,
  chooseEmbedding,
  type Embedding,
  embedding,
  embeddings,
  isUsable,
} from "../../state/projector";
import { discardEdits, editCount } from "../../state/projector_edits";
import * as projectorWords from "../../state/texts/projector";
import { changeView, spoken, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { Checkbox } from "../../widgets/checkbox";
import { fileName, saveFile } from "../../widgets/files";
import { Menu } from "../../widgets/menu";
import { Select } from "../../widgets/select";
import { Slider } from "../../widgets/slider";
import { LoadDialog } from "./load_dialog";
import { saveMetadata } from "./metadata_file";
import { takePicture } from "./stage";

export function DataBar(): JSX.Element {
  const words = spoken(projectorWords);
  const of = embedding.value;
  const loading = useSignal(false);
  return (
    <div class="projector-bar" role="toolbar" aria-label={words.title}>
      <EmbeddingChoice all={embeddings.value ?? []} of={of} />
      {of !== null && isUsable(of) && (
        <>
          <LabelChoice />
          <ColorChoice />
          <SizeChoice />
          {of.sprite !== null && <ImagesChoice />}
        </>
      )}
      <span class="projector-bar__end">
        <Button
          icon="upload"
          label={words.load}
          title={words.loadHint}
          testId="projector-load"
          onClick={() => {
            loading.value = true;
          }}
        />
        {of !== null && isUsable(of) && <MoreMenu of={of} />}
      </span>
      {loading.value && (
        <LoadDialog
          onClose={() => {
            loading.value = false;
          }}
        />
      )}
    </div>
  );
}

type ChoiceProperties = { readonly all: readonly Embedding[]; readonly of: Embedding | null };

function EmbeddingChoice({ all, of }: ChoiceProperties): JSX.Element | null {
  const words = spoken(projectorWords);
  if (of === null) return null;
  const runs = [...new Set(all.map(({ run }) => run))];
  const named = (run: string): string =>
    brought.value.some((one) => one.run === run) ? words.fromDisk : run === "" || run === "." ? words.noRunName : run;
  const tensors = all.filter(({ run }) => run === of.run);
  return (
    <>
      {runs.length > 1 && (
        <span class="projector-bar__part projector-bar__part--run">
          <span aria-hidden="true">{words.run}</span>
          <Select
            label={words.run}
            bare
            value={of.run}
            options={runs.map((run) => ({ value: run, label: named(run) }))}
            testId="projector-run"
            onChange={(run) => {
              const first = all.filter((one) => one.run === run);
              const next = first.find(isUsable) ?? first[0];
              if (next !== undefined) chooseEmbedding(next);
            }}
          />
        </span>
      )}
      <span class="projector-bar__part projector-bar__part--tensor">
        <span aria-hidden="true">{words.tensor}</span>
        <Select
          label={words.tensor}
          bare
          value={of.name}
          options={tensors.map((one) => ({
            value: one.name,
            label: isUsable(one) ? `${one.name} (${formatCount(one.rows)} × ${one.dims})` : `⚠ ${one.name}`,
          }))}
          testId="projector-tensor"
          onChange={(name) => chooseEmbedding({ run: of.run, name })}
        />
      </span>
    </>
  );
}

function LabelChoice(): JSX.Element | null {
  const words = spoken(projectorWords);
  const columns = allColumns.value;
  if (columns.length === 0) return null;
  const chosen = view.value.projectorLabelBy;
  return (
    <span class="projector-bar__part">
      <span aria-hidden="true">{words.labelBy}</span>
      <Select
        label={words.labelBy}
        bare
        value={columns.includes(chosen) ? chosen : (columns[0] ?? "")}
        options={columns.map((name) => ({ value: name, label: name }))}
        testId="projector-label-by"
        onChange={(name) => changeView({ projectorLabelBy: name === columns[0] ? "" : name })}
      />
    </span>
  );
}

function ColorChoice(): JSX.Element | null {
  const words = spoken(projectorWords);
  const columns = allColumns.value;
  const { projectorColorBy } = view.value;
  if (columns.length === 0) return null;
  return (
    <span class="projector-bar__part">
      <span aria-hidden="true">{words.colorBy}</span>
      <Select
        label={words.colorBy}
        bare
        value={columns.includes(projectorColorBy) ? projectorColorBy : ""}
        options={[{ value: "", label: words.noColor }, ...columns.map((name) => ({ value: name, label: name }))]}
        testId="projector-color-by"
        onChange={(name) => changeView({ projectorColorBy: name })}
      />
    </span>
  );
}

function SizeChoice(): JSX.Element {
  const words = spoken(projectorWords);
  return (
    <span class="projector-bar__part projector-bar__part--size" title={words.pointSize}>
      <span aria-hidden="true">{words.pointSize}</span>
      <Slider
        label={words.pointSize}
        bare
        value={Math.log2(view.value.projectorPointSize)}
        min={-2}
        max={2}
        step={0.25}
        testId="projector-point-size"
        onInput={(power) => changeView({ projectorPointSize: Number((2 ** power).toPrecision(4)) })}
      />
    </span>
  );
}

function ImagesChoice(): JSX.Element {
  const words = spoken(projectorWords);
  const { projectorImages } = view.value;
  return (
    <Checkbox
      label={words.images}
      title={words.imagesHint}
      checked={projectorImages}
      testId="projector-images"
      onChange={(checked) => changeView({ projectorImages: checked })}
    />
  );
}

function MoreMenu({ of }: { readonly of: Embedding }): JSX.Element {
  const words = spoken(projectorWords);
  const { projectorSpin } = view.value;
  const name = `${of.run}_${of.name}`;
  return (
    <Menu
      label={words.more}
      testId="projector-menu"
      items={[
        {
          label: words.spin,
          checked: projectorSpin,
          onSelect: () => changeView({ projectorSpin: !projectorSpin }),
        },
        "separator",
        {
          label: words.picture,
          icon: "download",
          onSelect: () =>
            void takePicture().then((blob) => {
              if (blob !== null) saveFile(fileName(name, "png"), blob);
            }),
        },
        {
          label: editCount.value > 0 ? words.downloadEdited : words.downloadMetadata,
          icon: "download",
          disabled: allColumns.value.length === 0,
          onSelect: () => void saveMetadata(of),
        },
        ...(editCount.value > 0
          ? [{ label: words.discardEdits, icon: "trash" as const, danger: true, onSelect: discardEdits }]
          : []),
      ]}
    />
  );
}
