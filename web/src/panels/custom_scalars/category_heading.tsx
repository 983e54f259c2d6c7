// The heading of a category, with its menu.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { SectionHeading } from "../../cards/section_heading";
import { changeCategory, moveCategory, withoutCategory } from "../../state/custom_layout";
import { editLayout, layout } from "../../state/custom_scalars";
import * as customScalarsWords from "../../state/texts/custom_scalars";
import { tell } from "../../state/toasts";
import { spoken, undo } from "../../state/view";
import { Button } from "../../widgets/button";
import { Dialog } from "../../widgets/dialog";
import { Menu, type MenuItem } from "../../widgets/menu";
import { TextField } from "../../widgets/text_field";
import { ChartDialog } from "./chart_dialog";
import "./category_heading.css";
import { type CategoryGroup, openCategory } from "./layout_groups";

type Properties = { readonly group: CategoryGroup; readonly topPx: number };

export function CategoryHeading({ group, topPx }: Properties): JSX.Element {
  const words = spoken(customScalarsWords);
  const dialog = useSignal<"rename" | "chart" | null>(null);
  const close = (): void => {
    dialog.value = null;
  };
  const { category } = group;
  const charts = layout.value?.[category]?.charts.length ?? 0;
  return (
    <SectionHeading
      topPx={topPx}
      title={group.title === "" ? words.untitled : group.title}
      depth={0}
      section={group.title}
      path={group.path}
      count={group.cards.length}
      countTitle={words.charts(group.cards.length)}
      open={group.open}
      onToggle={() => openCategory(group, !group.open)}
    >
      <span class="category-heading__tools">
        <Button
          kind="quiet"
          icon="plus"
          label={charts === 0 ? words.newChart : undefined}
          title={words.newChart}
          testId="custom-new-chart"
          onClick={() => {
            dialog.value = "chart";
          }}
        />
        <Menu
          label={words.categoryMenu}
          testId="custom-category-menu"
          items={categoryMenu(group, () => {
            dialog.value = "rename";
          })}
        />
      </span>
      {dialog.value === "rename" && <RenameDialog category={category} title={group.title} onClose={close} />}
      {dialog.value === "chart" && <ChartDialog place={{ category, chart: charts }} chart={null} onClose={close} />}
    </SectionHeading>
  );
}

function categoryMenu({ category, title }: CategoryGroup, rename: () => void): readonly MenuItem[] {
  const words = spoken(customScalarsWords);
  const count = layout.value?.length ?? 0;
  return [
    { label: words.rename, icon: "edit", onSelect: rename },
    {
      label: words.up,
      icon: "up",
      disabled: category === 0,
      onSelect: () => editLayout((now) => moveCategory(now, category, -1)),
    },
    {
      label: words.down,
      icon: "down",
      disabled: category >= count - 1,
      onSelect: () => editLayout((now) => moveCategory(now, category, 1)),
    },
    "separator",
    {
      label: words.removeCategory,
      icon: "trash",
      danger: true,
      onSelect: () => {
        editLayout((now) => withoutCategory(now, category));
        tell(words.removedCategory(title), { action: { label: words.undo, run: undo } });
      },
    },
  ];
}

type RenameProperties = {
  /** Index of the category in the layout; null: a new one. */
  readonly category: number | null;
  readonly title: string;
  readonly onClose: () => void;
};

export function RenameDialog({ category, title, onClose }: RenameProperties): JSX.Element {
  const words = spoken(customScalarsWords);
  const typed = useSignal(title);
  const save = (): void => {
    const name = typed.value.trim();
    if (name === "") return;
    editLayout((now) =>
      category === null
        ? [...now, { title: name, closed: false, charts: [] }]
        : changeCategory(now, category, { title: name }),
    );
    onClose();
  };
  const action = category === null ? words.make : words.save;
  return (
    <Dialog
      title={category === null ? words.newCategory : words.renameTitle}
      onClose={onClose}
      testId="custom-category-dialog"
      actions={
        <>
          <Button label={words.cancel} title={words.cancel} onClick={onClose} />
          <Button
            label={action}
            title={action}
            kind="primary"
            disabled={typed.value.trim() === ""}
            testId="custom-category-save"
            onClick={save}
          />
        </>
      }
    >
      <TextField
        label={words.categoryName}
        value={typed.value}
        autoFocus
        testId="custom-category-name"
        onInput={(text) => {
          typed.value = text;
        }}
        onEnter={save}
      />
    </Dialog>
  );
}
