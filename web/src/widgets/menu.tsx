// A button that opens a menu, and the menu itself (also at a position in the window, for right clicks). Arrow keys,
// Home, End and first letters move; Enter or Space selects; Esc closes.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import type { ButtonKind } from "./button";
import { Icon, type IconName } from "./icons";
import "./menu.css";
import { isPlainClick } from "./plain_click";
import { type Anchor, Popover } from "./popover";

export type MenuAction = {
  readonly label: string;
  readonly icon?: IconName | undefined;
  readonly shortcut?: string | undefined;
  readonly checked?: boolean | undefined;
  readonly disabled?: boolean | undefined;
  readonly title?: string | undefined;
  readonly danger?: boolean | undefined;
  /** Less visible than the other items, but can be selected. */
  readonly quiet?: boolean | undefined;
  /** Small text after the label, such as a count. */
  readonly detail?: string | undefined;
  /** Makes the item a link, which can be opened in a new tab. */
  readonly href?: (() => string) | undefined;
  readonly onSelect: () => void;
};

export type MenuItem = MenuAction | "separator" | { readonly heading: string };

type MenuProperties = {
  /** Text for screen readers and the tooltip; visible on the button only with `showLabel`. */
  readonly label: string;
  readonly icon?: IconName | undefined;
  readonly items: readonly MenuItem[];
  readonly kind?: ButtonKind | undefined;
  readonly showLabel?: boolean | undefined;
  readonly disabled?: boolean | undefined;
  readonly testId?: string | undefined;
};

export function Menu(properties: MenuProperties): JSX.Element {
  const { label, items, kind = "quiet", showLabel = false, disabled = false, testId } = properties;
  const icon = properties.icon ?? (showLabel ? undefined : "menu");
  const button = useRef<HTMLButtonElement>(null);
  const open = useSignal(false);
  const close = (): void => {
    open.value = false;
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={`button button--${kind}${showLabel ? "" : " button--icon"}`}
        title={label}
        aria-label={showLabel ? undefined : label}
        aria-haspopup="menu"
        aria-expanded={open.value}
        disabled={disabled}
        data-testid={testId}
        onClick={() => {
          open.value = !open.value;
        }}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          open.value = true;
        }}
      >
        {icon !== undefined && <Icon name={icon} />}
        {showLabel && <span class="button__label">{label}</span>}
        {showLabel && <Icon name="chevron" />}
      </button>
      {open.value && button.current !== null && (
        <MenuList label={label} anchor={button.current} items={items} onClose={close} />
      )}
    </>
  );
}

type ListProperties = {
  readonly label: string;
  readonly anchor: Anchor;
  readonly items: readonly MenuItem[];
  readonly onClose: () => void;
};

export function MenuList({ label, anchor, items, onClose }: ListProperties): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  return (
    <Popover anchor={anchor} onClose={onClose} label={label} role="menu" className="menu">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the items are caught where they pass by */}
      <div ref={list} class="menu__items" onKeyDown={(event) => list.current && move(event, list.current, onClose)}>
        {items.map((item, position) => (
          <Item key={position} item={item} onClose={onClose} />
        ))}
      </div>
    </Popover>
  );
}

function Item({ item, onClose }: { readonly item: MenuItem; readonly onClose: () => void }): JSX.Element {
  if (item === "separator") return <hr class="menu__separator" />;
  if ("heading" in item) return <div class="menu__heading">{item.heading}</div>;
  return item.href === undefined ? (
    <button type="button" {...itemAttributes(item, onClose)}>
      <ItemContent item={item} />
    </button>
  ) : (
    <a href={item.href()} {...itemAttributes(item, onClose)}>
      <ItemContent item={item} />
    </a>
  );
}

function itemAttributes(item: MenuAction, onClose: () => void) {
  const tone = item.danger ? " menu__item--danger" : item.quiet ? " menu__item--quiet" : "";
  return {
    class: `menu__item${tone}`,
    role: item.checked === undefined ? ("menuitem" as const) : ("menuitemcheckbox" as const),
    "aria-checked": item.checked,
    "aria-disabled": item.disabled,
    title: item.title,
    tabIndex: -1,
    onClick: (event: MouseEvent): void => {
      if (item.disabled) return;
      if (item.href !== undefined && !isPlainClick(event)) return;
      event.preventDefault();
      onClose();
      item.onSelect();
    },
  };
}

function ItemContent({ item }: { readonly item: MenuAction }): JSX.Element {
  const checkable = item.checked !== undefined;
  return (
    <>
      <span class="menu__icon">
        {checkable ? item.checked && <Icon name="check" /> : item.icon !== undefined && <Icon name={item.icon} />}
      </span>
      <span class="menu__label">{item.label}</span>
      {item.detail !== undefined && <span class="menu__detail">{item.detail}</span>}
      {item.shortcut !== undefined && <kbd class="menu__shortcut">{item.shortcut}</kbd>}
    </>
  );
}

function move(event: KeyboardEvent, list: HTMLElement, onClose: () => void): void {
  const items = [...list.querySelectorAll<HTMLElement>(".menu__item")];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const go = (to: number): void => {
    event.preventDefault();
    event.stopPropagation();
    items.at(to % items.length)?.focus();
  };
  if (event.key === "ArrowDown") go(at + 1);
  else if (event.key === "ArrowUp") go(at <= 0 ? items.length - 1 : at - 1);
  else if (event.key === "Home") go(0);
  else if (event.key === "End") go(items.length - 1);
  else if (event.key === "Tab") onClose();
  else if (event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey) {
    const letter = event.key.toLowerCase();
    const order = [...items.slice(at + 1), ...items.slice(0, at + 1)];
    const found = order.find((item) => item.textContent?.trim().toLowerCase().startsWith(letter));
    event.stopPropagation();
    found?.focus();
  }
}
