// Reports when the connection to the server is lost and restored. Very short interruptions are not reported.

import { effect } from "@preact/signals";
import { board, connection, problem, reconnect } from "../state/board";
import { dismiss, tell } from "../state/toasts";
import { texts } from "../state/view";

const PATIENCE_MS = 1500;

export function tellConnection(): () => void {
  let said: number | null = null;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let session = "";
  const sayLost = (): void => {
    const words = texts.peek().shell;
    const refused = problem.peek()?.kind === "refused";
    said = refused
      ? tell(words.failed.refusedTitle, {
          kind: "error",
          action: { label: words.failed.reload, run: () => location.reload() },
        })
      : tell(words.live.lostToast, { stays: true, action: { label: words.live.retryNow, run: reconnect } });
  };
  const ends = [
    effect(() => {
      const state = connection.value;
      clearTimeout(waiting);
      // before the first response the page itself shows the error
      if (state === "lost" && board.peek() !== null) waiting = setTimeout(sayLost, PATIENCE_MS);
      if (state !== "live" || said === null) return;
      dismiss(said);
      said = null;
      tell(texts.peek().shell.live.backToast);
    }),
    effect(() => {
      const next = board.value?.session ?? "";
      if (session !== "" && next !== session) tell(texts.peek().shell.live.restarted);
      session = next;
    }),
  ];
  return () => {
    clearTimeout(waiting);
    for (const end of ends) end();
  };
}
