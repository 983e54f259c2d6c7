// Exports the whole graph with its open groups as PNG, or as SVG drawn by the same code.

import { newSvg } from "../../chart/svg_surface";
import * as graphsWords from "../../state/texts/graphs";
import { tell } from "../../state/toasts";
import { spoken } from "../../state/view";
import { fileName, saveFile } from "../../widgets/files";
import { drawScene } from "./drawing";
import { header } from "./session";
import { drawn, wholeSight } from "./use_drawing";

const MARGIN_PX = 24;
// browsers do not create larger canvases
const MOST_SIDE = 16_000;
const MOST_AREA = 120_000_000;

export async function saveGraph(format: "png" | "svg"): Promise<void> {
  const what = drawn.peek();
  const head = header.peek();
  if (what === null || head === null) return;
  const name = fileName(head.name || `${head.run} ${head.tag}`.trim() || "graph", format);
  const body = format === "svg" ? asSvg(what) : await asPng(what);
  if (body === null) tell(spoken(graphsWords).failed, { kind: "error" });
  else saveFile(name, body);
}

type What = NonNullable<typeof drawn.value>;

function asSvg(what: What): Blob {
  const { width, height } = what.scene;
  const svg = newSvg(width + 2 * MARGIN_PX, height + 2 * MARGIN_PX);
  svg.fillStyle = what.palette.background;
  svg.fillRect(0, 0, width + 2 * MARGIN_PX, height + 2 * MARGIN_PX);
  svg.save();
  svg.translate(MARGIN_PX, MARGIN_PX);
  drawScene(svg, { ...what, sight: wholeSight(width, height, MARGIN_PX), hovered: -1 });
  svg.restore();
  return new Blob([svg.text()], { type: "image/svg+xml" });
}

async function asPng(what: What): Promise<Blob | null> {
  const [width, height] = [what.scene.width + 2 * MARGIN_PX, what.scene.height + 2 * MARGIN_PX];
  const scale = Math.min(2, MOST_SIDE / width, MOST_SIDE / height, Math.sqrt(MOST_AREA / (width * height)));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext("2d");
  if (context === null) return null;
  context.fillStyle = what.palette.background;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.setTransform(scale, 0, 0, scale, MARGIN_PX * scale, MARGIN_PX * scale);
  drawScene(context, {
    ...what,
    sight: { ...wholeSight(what.scene.width, what.scene.height, MARGIN_PX), scale },
    hovered: -1,
  });
  return new Promise((resolve) => canvas.toBlob(resolve));
}
