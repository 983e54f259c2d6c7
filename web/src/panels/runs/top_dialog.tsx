// Dialog to tick the best runs by a metric.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { METRICS, type Metric, pageColumns, scalarTags } from "../../state/run_columns";
import { passingRuns } from "../../state/run_filter";
import { topRuns } from "../../state/run_top";
import { tickOnly } from "../../state/runs";
import { tell } from "../../state/toasts";
import { texts } from "../../state/view";
import { Button } from "../../widgets/button";
import { Dialog } from "../../widgets/dialog";
import { NumberField } from "../../widgets/number_field";
import { Select } from "../../widgets/select";
import { closeDialog } from "./open_dialogs";
import { TagField } from "./tag_field";

const ORDERS = ["lowest", "highest"] as const;

export function TopDialog(): JSX.Element {
  const t = texts.value.runs;
  const tags = scalarTags.value;
  // default: a loss, which most users want to minimize
  const tag = useSignal(tags.find((one) => /loss/i.test(one)) ?? tags[0] ?? "");
  const of = useSignal<Metric>("last");
  const order = useSignal<(typeof ORDERS)[number]>("lowest");
  const count = useSignal(10);
  useEffect(() => {
    if (/acc|score|reward|auc|f1|bleu|precision|recall|map\b/i.test(tag.value)) order.value = "highest";
  }, [tag.value, order]);
  const known = tags.includes(tag.value);
  const choose = async (): Promise<void> => {
    const found = await topRuns(tag.value, of.value, order.value === "highest", count.value, passingRuns.value);
    if (found === null) return;
    closeDialog();
    tickOnly(found);
    tell(t.topTicked(found.length));
  };
  void pageColumns;
  return (
    <Dialog
      title={t.topTitle}
      onClose={closeDialog}
      testId="top-dialog"
      actions={
        <Button label={t.topDo} kind="primary" title={t.topDo} disabled={!known} onClick={() => void choose()} />
      }
    >
      <div class="dialog-grid">
        <TagField label={t.metric} value={tag.value} onInput={(text) => (tag.value = text)} />
        <Select
          label={t.valueOf}
          value={of.value}
          options={METRICS.map((one) => ({ value: one, label: t.metricWords[one] }))}
          onChange={(one) => (of.value = one)}
        />
        <Select
          label={t.order}
          value={order.value}
          options={ORDERS.map((one) => ({ value: one, label: t.orders[one] }))}
          onChange={(one) => (order.value = one)}
        />
        <NumberField
          label={t.howMany}
          value={count.value}
          min={1}
          max={10_000}
          step={1}
          testId="top-count"
          onChange={(n) => {
            if (n !== null) count.value = Math.round(n);
          }}
        />
      </div>
      <p class="dialog-hint">{t.topHint(passingRuns.value.length)}</p>
    </Dialog>
  );
}
