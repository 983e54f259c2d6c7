// The button "View" of a toolbar: settings that are used less often, in a popover.

import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useRef } from "preact/hooks";
import { texts } from "../state/view";
import { Icon } from "../widgets/icons";
import { Popover } from "../widgets/popover";
import "./view_popover.css";

export function ViewPopover({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const words = texts.value.cards;
  const button = useRef<HTMLButtonElement>(null);
  const open = useSignal(false);
  return (
    <>
      <button
        ref={button}
        type="button"
        class="button button--plain"
        title={words.viewHint}
        aria-haspopup="dialog"
        aria-expanded={open.value}
        data-testid="view-options"
        onClick={() => {
          open.value = !open.value;
        }}
      >
        <Icon name="settings" />
        <span class="button__label">{words.view}</span>
      </button>
      {open.value && button.current !== null && (
        <Popover
          anchor={button.current}
          label={words.view}
          className="view-popover"
          onClose={() => {
            open.value = false;
          }}
        >
          {children}
        </Popover>
      )}
    </>
  );
}
