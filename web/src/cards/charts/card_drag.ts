// Dragging cards by their handle and title: onto another card to merge both charts, among pinned cards to reorder them.

import { signal } from "@preact/signals";
import { type CardKey, joinCards, movePin } from "../../state/cards";

type Dragged = { readonly key: CardKey; readonly pinned: boolean };

// stored here because the browser reveals the dragged data only on drop
const dragged = signal<Dragged | null>(null);
const target = signal<CardKey | null>(null);

export function isDropTarget(key: CardKey): boolean {
  return target.value === key && dragged.value !== null && dragged.value.key !== key;
}

/** True if a pinned card is dragged: dropped on another pinned card, it takes its place. */
export function isPinDragged(): boolean {
  return dragged.value?.pinned === true;
}

const KIND = "application/x-lightboard-card";

export function cardDrag(key: CardKey, title: string, pinned: boolean) {
  return {
    onDragStart: (event: DragEvent): void => {
      dragged.value = { key, pinned };
      event.dataTransfer?.setData(KIND, key);
      event.dataTransfer?.setData("text/plain", title);
      if (event.dataTransfer !== null) event.dataTransfer.effectAllowed = "copyMove";
    },
    onDragEnd: (): void => {
      dragged.value = null;
      target.value = null;
    },
  };
}

export function cardDrop(key: CardKey, pinned: boolean) {
  return {
    onDragOver: (event: DragEvent): void => {
      if (dragged.peek() === null) return;
      event.preventDefault();
      target.value = key;
    },
    onDragLeave: (event: DragEvent): void => {
      const inside =
        event.currentTarget instanceof Node && event.currentTarget.contains(event.relatedTarget as Node | null);
      if (!inside && target.peek() === key) target.value = null;
    },
    onDrop: (event: DragEvent): void => {
      const what = dragged.peek();
      dragged.value = null;
      target.value = null;
      if (what === null || what.key === key) return;
      event.preventDefault();
      if (pinned && what.pinned) movePin(what.key, key);
      else joinCards(what.key, key);
    },
  };
}
