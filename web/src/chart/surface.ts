// The few drawing calls that charts use. A 2D canvas context has them, and so has the SVG writer: saved pictures are
// drawn by the same code as the screen.

type Paint = string | CanvasGradient | CanvasPattern;

export interface Surface {
  fillStyle: Paint;
  strokeStyle: Paint;
  lineWidth: number;
  lineJoin: CanvasLineJoin;
  lineCap: CanvasLineCap;
  globalAlpha: number;
  font: string;
  textAlign: CanvasTextAlign;
  textBaseline: CanvasTextBaseline;
  setLineDash(segments: number[]): void;
  save(): void;
  restore(): void;
  translate(x: number, y: number): void;
  beginPath(): void;
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  rect(x: number, y: number, width: number, height: number): void;
  arc(x: number, y: number, radius: number, from: number, to: number): void;
  closePath(): void;
  clip(): void;
  fill(): void;
  stroke(): void;
  fillRect(x: number, y: number, width: number, height: number): void;
  fillText(text: string, x: number, y: number): void;
}

/** Calls `draw` between save and restore, so that colors, dashes and clips do not leak into the next drawing. */
export function within(surface: Surface, draw: () => void): void {
  surface.save();
  draw();
  surface.restore();
}
