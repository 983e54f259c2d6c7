// Details of the selected node or namespace; without a selection, of the graph.

import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { formatBytes } from "../../base/sizes";
import { reasonOf } from "../../state/explained";
import { type GraphNode, graphNode } from "../../state/graphs";
import * as graphsWords from "../../state/texts/graphs";
import { changeView, grouped, spoken, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { Checkbox } from "../../widgets/checkbox";
import { Menu } from "../../widgets/menu";
import { formatMicros } from "./format";
import { shortDevice } from "./legend";
import type { Counted, Facts, Neighbour, TpuFacts } from "./model/facts";
import { FUNCTION, LEAF, LIBRARY, SERIES } from "./model/hierarchy";
import { menuOf } from "./node_menu";
import { choose, goTo, header, shown, summary } from "./session";

export function InfoCard(): JSX.Element {
  const facts = shown.value?.facts ?? null;
  if (facts === null) return <GraphFacts />;
  return <NodeFacts key={facts.path} facts={facts} />;
}

/** Returns whether the pane would have more than instructions: a selected node, or something about the graph. */
export function hasFacts(): boolean {
  const tpu = view.value.graphsColor === "tpu" && (shown.value?.tpu ?? null) !== null;
  return shown.value?.facts != null || tpu || (summary.value?.problems ?? []).length > 0;
}

/** One line over the drawing as long as no node is selected. */
export function GraphStrip(): JSX.Element {
  const words = spoken(graphsWords);
  const counts = summary.value;
  return (
    <p class="graph-strip" data-testid="graph-info" title={words.nothingChosenHint}>
      {counts !== null && (
        <strong>
          {words.nodeCount(grouped(counts.nodes))} · {words.edgeCount(grouped(counts.edges))}
        </strong>
      )}
      <span class="graph-strip__hint">{words.nothingChosen}</span>
    </p>
  );
}

function GraphFacts(): JSX.Element {
  const words = spoken(graphsWords);
  const counts = summary.value;
  return (
    <div class="graph-info" data-testid="graph-info">
      {counts !== null && (
        <p class="graph-info__counts">
          {words.nodeCount(grouped(counts.nodes))} · {words.edgeCount(grouped(counts.edges))}
        </p>
      )}
      <Tpu facts={shown.value?.tpu ?? null} />
      <p class="graph-info__hint">{words.nothingChosen}</p>
      <p class="graph-info__hint">{words.nothingChosenHint}</p>
      <Problems />
    </div>
  );
}

function Problems(): JSX.Element | null {
  const words = spoken(graphsWords);
  const problems = summary.value?.problems ?? [];
  if (problems.length === 0) return null;
  return (
    <Section title={words.problemsTitle}>
      <ul class="graph-info__problems">
        {problems.map(({ code, count, examples }) => {
          const known = words.problems[code as Exclude<keyof typeof words.problems, "other">];
          const text = known === undefined ? words.problems.other(code, grouped(count)) : known(grouped(count));
          return (
            <li key={code} title={examples.join("\n")}>
              {text}
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

function typeOf(facts: Facts): string {
  const words = spoken(graphsWords);
  if (facts.type === LEAF) return words.kinds[facts.kind];
  return (
    { [SERIES]: words.series, [FUNCTION]: words.function, [LIBRARY]: words.library }[facts.type] ?? words.namespace
  );
}

function NodeFacts({ facts }: { readonly facts: Facts }): JSX.Element {
  const words = spoken(graphsWords);
  const split = (list: readonly Neighbour[], control: boolean): readonly Neighbour[] =>
    list.filter((one) => one.control === control);
  return (
    <div class="graph-info" data-testid="graph-info" data-path={facts.path}>
      <NodeHead facts={facts} />
      <NodeSummary facts={facts} />
      <Trace />
      <Calls facts={facts} />
      <Tpu facts={facts.tpu} />
      {facts.type === LEAF && facts.node >= 0 && <Attributes node={facts.node} />}
      <Ends title={words.inputs} list={split(facts.inputs, false)} all={facts.inputs} total={facts.inputCount} />
      <Ends title={words.outputs} list={split(facts.outputs, false)} all={facts.outputs} total={facts.outputCount} />
      <Ends title={words.controls} list={split(facts.inputs, true)} all={facts.inputs} total={0} />
      <Ends title={words.controlOutputs} list={split(facts.outputs, true)} all={facts.outputs} total={0} />
      <Counts title={words.operations} list={facts.ops} />
      <Counts title={words.devices} list={facts.devices.map((one) => ({ ...one, name: shortDevice(one.name) }))} />
    </div>
  );
}

function NodeHead({ facts }: { readonly facts: Facts }): JSX.Element {
  const words = spoken(graphsWords);
  const end = facts.name.lastIndexOf("/") + 1;
  return (
    <header class="graph-info__head">
      <div class="graph-info__name">
        <span class="graph-info__type">{typeOf(facts)}</span>
        <h3 title={facts.name}>
          <span class="graph-info__prefix">{facts.name.slice(0, end)}</span>
          {facts.name.slice(end) || facts.name}
        </h3>
      </div>
      <Menu label={words.options} items={menuOf(facts.path)} testId="graph-node-menu" />
      <Button kind="quiet" icon="close" title={words.close} onClick={() => choose("")} />
    </header>
  );
}

function NodeSummary({ facts }: { readonly facts: Facts }): JSX.Element {
  const words = spoken(graphsWords);
  const measured = shown.value?.measured ?? null;
  const inside = [
    words.nodeCount(grouped(facts.leaves)),
    ...(facts.namespaces > 0 ? [words.namespacesInside(grouped(facts.namespaces))] : []),
  ];
  return (
    <dl class="graph-info__facts">
      {facts.op !== "" && <Fact name={words.operation} value={facts.op} />}
      {facts.device !== "" && <Fact name={words.device} value={facts.device} />}
      {facts.cluster !== "" && <Fact name={words.cluster} value={facts.cluster} />}
      {facts.function !== "" && <Fact name={words.inFunction} value={facts.function} />}
      {facts.type !== LEAF && <Fact name={words.subgraph} value={inside.join(" · ")} />}
      {measured !== null && measured.micros > 0 && (
        <Fact name={words.computeTime} value={formatMicros(measured.micros)} />
      )}
      {measured !== null && measured.bytes > 0 && <Fact name={words.memory} value={formatBytes(measured.bytes)} />}
    </dl>
  );
}

function Trace(): JSX.Element {
  const words = spoken(graphsWords);
  return (
    <>
      <Checkbox
        label={words.trace}
        title={words.traceHint}
        checked={view.value.graphsTrace}
        testId="graph-trace"
        onChange={(graphsTrace) => changeView({ graphsTrace })}
      />
      {view.value.graphsTrace && shown.value?.focus !== null && (
        <p class="graph-info__hint" data-testid="graph-traced">
          {words.traced(grouped(shown.value?.focus?.leaves ?? 0))}
        </p>
      )}
    </>
  );
}

/** The functions that a node calls, and the callers of a function. */
function Calls({ facts }: { readonly facts: Facts }): JSX.Element {
  const words = spoken(graphsWords);
  return (
    <>
      {facts.bodies.length > 0 && (
        <Section title={words.calls}>
          <Paths paths={facts.bodies} />
        </Section>
      )}
      {facts.type === FUNCTION && (
        <Section title={words.calledBy(grouped(facts.callers.length))}>
          {facts.callers.length === 0 ? (
            <p class="graph-info__hint">{words.notCalled}</p>
          ) : (
            <Paths paths={facts.callers} />
          )}
        </Section>
      )}
    </>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd title={value}>{value}</dd>
    </div>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <details class="graph-info__section" open>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

function Attributes({ node }: { readonly node: number }): JSX.Element | null {
  const words = spoken(graphsWords);
  // a string is the error message of a failed request
  const loaded = useSignal<GraphNode | string | null>(null);
  const { key = "", run = "", tag = "", source } = header.value ?? {};
  useEffect(() => {
    let gone = false;
    graphNode({ key, run, tag: source === "uploaded" ? "" : tag }, node).then(
      (answer) => {
        if (!gone) loaded.value = answer;
      },
      (error: unknown) => {
        if (!gone) loaded.value = reasonOf(error);
      },
    );
    return () => {
      gone = true;
    };
  }, [key, run, tag, source, node, loaded]);
  if (loaded.value === null) return null;
  if (typeof loaded.value === "string") return <p class="graph-info__hint">{words.attributesFailed(loaded.value)}</p>;
  const { attributes } = loaded.value;
  if (attributes.length === 0) return null;
  return (
    <Section title={words.attributes(attributes.length)}>
      <dl class="graph-info__attributes" data-testid="graph-attributes">
        {attributes.map(({ name, text, bytes, large }) => (
          <div key={name}>
            <dt title={name}>{name}</dt>
            <dd title={text}>{large ? <em>{words.elided(formatBytes(bytes))}</em> : text}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

// longer lists are cut; the number of the other entries is shown
const MOST_LISTED = 60;

type EndsProps = {
  readonly title: (count: string) => string;
  readonly list: readonly Neighbour[];
  readonly all: readonly Neighbour[];
  /** Number of tensors and control edges together; the lists are cut. */
  readonly total: number;
};

function Ends({ title, list, all, total }: EndsProps): JSX.Element | null {
  const words = spoken(graphsWords);
  if (list.length === 0) return null;
  const count = Math.max(list.length, total - (all.length - list.length));
  const more = count - Math.min(MOST_LISTED, list.length);
  return (
    <Section title={title(grouped(count))}>
      <ul class="graph-info__ends">
        {list.slice(0, MOST_LISTED).map((one, at) => (
          <li key={`${one.path} ${one.slot} ${at}`}>
            <PathButton path={one.path} slot={one.slot} />
            <span class="graph-info__shape">{[one.op, one.shape].filter((part) => part !== "").join(" · ")}</span>
          </li>
        ))}
        {more > 0 && <li class="graph-info__hint">{words.andMore(grouped(more))}</li>}
      </ul>
    </Section>
  );
}

function Paths({ paths }: { readonly paths: readonly string[] }): JSX.Element {
  return (
    <ul class="graph-info__ends">
      {paths.slice(0, MOST_LISTED).map((path) => (
        <li key={path}>
          <PathButton path={path} slot={0} />
        </li>
      ))}
    </ul>
  );
}

function PathButton({ path, slot }: { readonly path: string; readonly slot: number }): JSX.Element {
  return (
    <button type="button" class="graph-info__path" title={path} onClick={() => void goTo(path)}>
      <bdi>{slot > 0 ? `${path}:${slot}` : path}</bdi>
    </button>
  );
}

/** TPU compatibility; shown only while nodes are colored by it, because few users need it. */
function Tpu({ facts }: { readonly facts: TpuFacts | null }): JSX.Element | null {
  const words = spoken(graphsWords);
  if (view.value.graphsColor !== "tpu" || facts === null) return null;
  return (
    <>
      <p class="graph-info__tpu" data-testid="graph-tpu">
        {words.tpuTold(grouped(facts.fit), grouped(facts.nodes))}
      </p>
      <Counts title={words.tpuUnfit} list={facts.unfit} />
    </>
  );
}

function Counts({ title, list }: { readonly title: (count: string) => string; readonly list: readonly Counted[] }) {
  const words = spoken(graphsWords);
  if (list.length === 0) return null;
  const most = list[0]?.count ?? 1;
  return (
    <Section title={title(grouped(list.length))}>
      <ul class="graph-info__counted">
        {list.slice(0, MOST_LISTED).map(({ name, count }) => (
          <li key={name}>
            <i style={{ width: `${(100 * count) / most}%` }} />
            <span title={name}>{name}</span>
            <b>{grouped(count)}</b>
          </li>
        ))}
        {list.length > MOST_LISTED && (
          <li class="graph-info__hint">{words.andMore(grouped(list.length - MOST_LISTED))}</li>
        )}
      </ul>
    </Section>
  );
}
