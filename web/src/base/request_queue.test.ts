import { expect, test } from "vitest";
import { requestQueue } from "./request_queue";

/** A job that logs its start and ends when the test calls `end`. */
function scripted(name: string, urgency: number, log: string[]) {
  let end = (): void => {};
  const job = {
    urgency: () => urgency,
    run: (signal: AbortSignal) => {
      log.push(name);
      signal.addEventListener("abort", () => end());
      return new Promise<void>((resolve) => {
        end = resolve;
      });
    },
  };
  return { job, end: () => end() };
}

const settle = () => new Promise((resolve) => setTimeout(resolve));

test("the most urgent go first, a few at a time", async () => {
  const log: string[] = [];
  const queue = requestQueue(2);
  const jobs = [scripted("far", 9, log), scripted("near", 1, log), scripted("nearest", 0, log)];
  for (const { job } of jobs) queue.add(job);
  await settle();
  expect(log).toEqual(["nearest", "near"]);
  jobs[1]?.end();
  await settle();
  expect(log).toEqual(["nearest", "near", "far"]);
});

test("what is given up makes room, or never starts", async () => {
  const log: string[] = [];
  const queue = requestQueue(1);
  const giveUp = queue.add(scripted("a", 0, log).job);
  const giveUpWaiting = queue.add(scripted("b", 1, log).job);
  queue.add(scripted("c", 2, log).job);
  await settle();
  giveUpWaiting();
  giveUp();
  await settle();
  expect(log).toEqual(["a", "c"]);
});

declare const gc: () => void;

/** Runs fifty requests with one response each until all have finished. */
async function answered(queue: ReturnType<typeof requestQueue>, giveUps: (() => void)[]): Promise<WeakRef<object>[]> {
  const answers: WeakRef<object>[] = [];
  for (let i = 0; i < 50; i++) {
    const answer = new ArrayBuffer(1 << 16);
    answers.push(new WeakRef(answer));
    giveUps.push(queue.add({ urgency: () => answer.byteLength, run: async () => {} }));
  }
  await settle();
  return answers;
}

test("a finished request is not kept in memory, though the queue lives on", async () => {
  const queue = requestQueue(5);
  const giveUps: (() => void)[] = [];
  const answers = await answered(queue, giveUps);
  giveUps.length = 0;
  await settle();
  gc();
  expect(answers.filter((answer) => answer.deref() !== undefined)).toEqual([]);
});
