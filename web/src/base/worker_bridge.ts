// The page's side of a worker: sends messages and matches responses to requests. In browsers whose workers cannot draw,
// the same host code runs on the page instead. This file does not depend on the content of messages.

/** A response has the number of its request. `question` is null if the failure belongs to no request. */
export type Failure = { readonly type: "failed"; readonly question: number | null; readonly reason: string };

type Message = { readonly type: string };

export type Port<Sent> = (message: Sent, transfer: Transferable[]) => void;

/** Called once, before the first message is sent. */
export type OpenPort<Sent, Received> = (receive: (message: Received) => void) => Port<Sent>;

export type Bridge<Sent, Received extends Message> = {
  readonly send: (message: Sent, transfer?: readonly Transferable[]) => void;
  /** Resolves with the response, a message of the type `answer`; rejects if the worker fails. */
  readonly ask: <Type extends Received["type"]>(
    answer: Type,
    message: (question: number) => Sent,
  ) => Promise<Extract<Received, { readonly type: Type }>>;
  /** Returns true if a message has been sent. */
  readonly isOpen: () => boolean;
};

type Waiting = {
  readonly answer: string;
  readonly resolve: (message: never) => void;
  readonly reject: (problem: Error) => void;
};

/** `onNews` gets all messages that are not a response. */
export function bridgeTo<Sent, Received extends Message>(
  open: OpenPort<Sent, Received | Failure>,
  onNews: (message: Received | Failure) => void,
): Bridge<Sent, Received> {
  const waiting = new Map<number, Waiting>();
  let port: Port<Sent> | null = null;
  let questions = 0;

  function receive(message: Received | Failure): void {
    const question = "question" in message ? message.question : null;
    const one = typeof question === "number" ? waiting.get(question) : undefined;
    if (typeof question === "number") waiting.delete(question);
    if (one === undefined) onNews(message);
    else if (message.type === one.answer) one.resolve(message as never);
    else one.reject(new Error("reason" in message ? message.reason : `the worker answered ${message.type}`));
  }

  function send(message: Sent, transfer: readonly Transferable[] = []): void {
    port ??= open(receive);
    port(message, [...transfer]);
  }

  return {
    send,
    ask: (answer, message) =>
      new Promise((resolve, reject) => {
        const question = ++questions;
        waiting.set(question, { answer, resolve, reject });
        send(message(question));
      }),
    isOpen: () => port !== null,
  };
}

/** `start` calls `new Worker(new URL(…, import.meta.url))` itself: the bundler searches for exactly this expression. */
export function workerPort<Sent, Received>(start: () => Worker): OpenPort<Sent, Received> {
  return (receive) => {
    const worker = start();
    worker.onmessage = (event: MessageEvent<Received>) => receive(event.data);
    return (message, transfer) => worker.postMessage(message, transfer);
  };
}

/** Runs the host on the page's own thread; its code is loaded when it is needed. */
export function pagePort<Sent, Received>(
  load: (post: (message: Received) => void) => Promise<(message: Sent) => void>,
): OpenPort<Sent, Received> {
  return (receive) => {
    const host = load(receive);
    return (message) => void host.then((handle) => handle(message));
  };
}
