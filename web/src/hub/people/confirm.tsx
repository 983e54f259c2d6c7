// Asks before something that cannot be undone. The button says what happens; for large things the name must be typed.

import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { Button } from "../../widgets/button";
import { Dialog } from "../../widgets/dialog";
import { spoken } from "../preferences";
import * as area from "../texts/people";
import { Form, Line, Refusal, Submit } from "./form";
import { useTask } from "./task";

type Properties = {
  readonly title: string;
  readonly text?: string | undefined;
  readonly action: string;
  readonly danger?: boolean;
  /** Must be typed before the button works. */
  readonly type?: string | undefined;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
  readonly testId?: string;
};

export function Confirm(properties: Properties): JSX.Element {
  const { title, text, action, danger = true, type, onConfirm, onClose, children, testId = "confirm" } = properties;
  const words = spoken(area);
  const typed = useSignal("");
  const task = useTask();
  const ready = type === undefined || typed.value.trim() === type;
  const go = (): void => {
    if (ready) void task.run(onConfirm).then((done) => done && onClose());
  };
  return (
    <Dialog title={title} onClose={onClose} testId={testId}>
      <Form label={title} onSubmit={go}>
        {text !== undefined && <p>{text}</p>}
        {children}
        {type !== undefined && (
          <Line
            label={words.typeToConfirm(type)}
            value={typed.value}
            focus
            onInput={(now) => {
              typed.value = now;
            }}
          />
        )}
        <Refusal sentence={task.failure.value} />
        <div class={danger ? "people-form__actions people-form__actions--danger" : "people-form__actions"}>
          <Button label={words.cancel} title={words.cancel} onClick={onClose} />
          <Submit label={action} busy={task.busy.value} disabled={!ready} testId="confirm-yes" />
        </div>
      </Form>
    </Dialog>
  );
}
