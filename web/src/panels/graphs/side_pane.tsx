// The side pane: details of the selected node, or the nodes of the drawing as a tree.

import type { JSX } from "preact";
import { InfoCard } from "./info_card";
import { NodeTree } from "./node_tree";
import "./side_pane.css";
import * as graphsWords from "../../state/texts/graphs";
import { spoken } from "../../state/view";

export function SidePane({ pane }: { readonly pane: "info" | "nodes" }): JSX.Element {
  const words = spoken(graphsWords);
  return (
    <aside class={`graph-side graph-side--${pane}`} aria-label={words[pane]} data-testid="graph-side">
      {pane === "info" ? <InfoCard /> : <NodeTree />}
    </aside>
  );
}
