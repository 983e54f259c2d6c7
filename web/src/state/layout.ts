// Layout of the page on this device: width of the run list, open panels. Not part of the view, because a link should
// not contain the sender's layout; stored in the browser.

import { effect, signal } from "@preact/signals";

export const SIDEBAR = { least: 180, usual: 300, most: 900 } as const;
/** In windows narrower than this the run list covers the page. */
export const NARROW_PX = 760;

/** True in windows as narrow as a phone; theme.css has the same width. */
export const narrow = signal(false);

const phone = typeof matchMedia === "undefined" ? null : matchMedia("(max-width: 599px)");
if (phone !== null) {
  narrow.value = phone.matches;
  phone.addEventListener("change", () => {
    narrow.value = phone.matches;
  });
}

/** The pane beside the content of a page, in narrow windows, where it starts closed. */
export const narrowPane = signal(false);

export type Sheet = "palette" | "help" | "health" | "save" | "views" | "file";

/** The dialog that is open. */
export const sheet = signal<Sheet | null>(null);

const MEMORY = "lightboard.layout";

type Layout = { readonly sidebarPx: number; readonly sidebarOpen: boolean; readonly settingsOpen: boolean };

function recall(): Layout {
  const narrow = typeof innerWidth !== "undefined" && innerWidth < NARROW_PX;
  const usual = { sidebarPx: SIDEBAR.usual, sidebarOpen: !narrow, settingsOpen: false };
  try {
    const kept = JSON.parse(localStorage.getItem(MEMORY) ?? "{}") as Partial<Record<keyof Layout, unknown>>;
    return {
      sidebarPx: typeof kept.sidebarPx === "number" ? within(kept.sidebarPx) : usual.sidebarPx,
      // on a narrow page it would hide the content
      sidebarOpen: typeof kept.sidebarOpen === "boolean" && !narrow ? kept.sidebarOpen : usual.sidebarOpen,
      settingsOpen: kept.settingsOpen === true && !narrow,
    };
  } catch {
    return usual;
  }
}

function within(px: number): number {
  return Math.min(SIDEBAR.most, Math.max(SIDEBAR.least, Math.round(px)));
}

const first = recall();
export const sidebarPx = signal(first.sidebarPx);
export const sidebarOpen = signal(first.sidebarOpen);
/** The settings drawer at the right. */
export const settingsOpen = signal(first.settingsOpen);

export function resizeSidebar(px: number): void {
  sidebarPx.value = within(px);
}

export function toggleSidebar(): void {
  sidebarOpen.value = !sidebarOpen.value;
}

export function toggleSettings(): void {
  settingsOpen.value = !settingsOpen.value;
}

// not `typeof localStorage`: in a frame of another site even that throws
if (typeof document !== "undefined") {
  effect(() => {
    const layout: Layout = {
      sidebarPx: sidebarPx.value,
      sidebarOpen: sidebarOpen.value,
      settingsOpen: settingsOpen.value,
    };
    try {
      localStorage.setItem(MEMORY, JSON.stringify(layout));
    } catch {
      // no access to storage: lasts as long as the page
    }
  });
}

/** Key of the card to scroll to (see state/cards.ts); the page that has the card sets it back to null. */
export const wantedCard = signal<string | null>(null);
