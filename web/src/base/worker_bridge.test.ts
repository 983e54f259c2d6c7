import { expect, test } from "vitest";
import { bridgeTo, type Failure, pagePort } from "./worker_bridge";

type Sent = { readonly type: "add" | "pick"; readonly question?: number };
type Received =
  | { readonly type: "drawn"; readonly chart: number }
  | { readonly type: "picked"; readonly question: number; readonly row: number }
  | { readonly type: "picture"; readonly question: number };

/** A bridge to a fake worker that the test controls. */
function bridge() {
  const sent: Sent[] = [];
  const transfers: (readonly Transferable[])[] = [];
  const news: (Received | Failure)[] = [];
  const worker = { opened: 0, post: (_: Received | Failure): void => {} };
  const one = bridgeTo<Sent, Received>(
    (receive) => {
      worker.opened++;
      worker.post = receive;
      return (message, transfer) => {
        sent.push(message);
        transfers.push(transfer);
      };
    },
    (message) => news.push(message),
  );
  return { bridge: one, sent, transfers, news, worker };
}

const pick = (question: number): Sent => ({ type: "pick", question });

test("the worker starts with the first message, once", () => {
  const { bridge: one, sent, transfers, worker } = bridge();
  expect(one.isOpen()).toBe(false);
  expect(worker.opened).toBe(0);
  const buffer = new ArrayBuffer(8);
  one.send({ type: "add" }, [buffer]);
  one.send({ type: "add" });
  expect(one.isOpen()).toBe(true);
  expect(worker.opened).toBe(1);
  expect(sent.length).toBe(2);
  expect(transfers).toEqual([[buffer], []]);
});

test("each answer goes to its own question, in any order", async () => {
  const { bridge: one, worker, news } = bridge();
  const answers = [one.ask("picked", pick), one.ask("picked", pick)];
  worker.post({ type: "picked", question: 2, row: 20 });
  worker.post({ type: "picked", question: 1, row: 10 });
  expect((await Promise.all(answers)).map(({ row }) => row)).toEqual([10, 20]);
  expect(news).toEqual([]);
});

test("a failure rejects its question", async () => {
  const { bridge: one, worker } = bridge();
  const answer = one.ask("picked", pick);
  worker.post({ type: "failed", question: 1, reason: "the chart is closed" });
  await expect(answer).rejects.toThrow("the chart is closed");
});

test("an answer of another type rejects its question", async () => {
  const { bridge: one, worker } = bridge();
  const answer = one.ask("picked", pick);
  worker.post({ type: "picture", question: 1 });
  await expect(answer).rejects.toThrow("picture");
});

test("messages without a question, and answers to unknown questions, are news", () => {
  const { bridge: one, worker, news } = bridge();
  one.send({ type: "add" });
  worker.post({ type: "drawn", chart: 3 });
  worker.post({ type: "failed", question: null, reason: "no context" });
  worker.post({ type: "picked", question: 9, row: 1 });
  expect(news.map(({ type }) => type)).toEqual(["drawn", "failed", "picked"]);
});

test("messages sent while the host is loaded on the page arrive in order", async () => {
  const handled: Sent[] = [];
  const open = pagePort<Sent, Received>(async () => (message) => handled.push(message));
  const one = bridgeTo<Sent, Received>(open as never, () => {});
  one.send({ type: "add" });
  one.send({ type: "pick" });
  await Promise.resolve();
  await Promise.resolve();
  expect(handled.map(({ type }) => type)).toEqual(["add", "pick"]);
});
