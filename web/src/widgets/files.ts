// Files from the page to the reader and back.

export function saveFile(name: string, body: Blob): void {
  const address = URL.createObjectURL(body);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // the browser reads it after the click; a minute is plenty
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** A name that every file system takes. */
export function fileName(title: string, ending: string): string {
  const safe = title.replace(/[\p{Cc}\p{Cs}<>:"/\\|?*]+/gu, "_").replace(/^\.+/, "_");
  return `${safe.slice(0, 120) || "chart"}${ending === "" ? "" : `.${ending}`}`;
}

/** What lies at an address of the board; the ending follows its type where the name has none. */
export function saveAddress(address: string, name: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName(name, "");
  link.click();
}

/** The text of a file the reader picks; null when none was picked. */
export function pickTextFile(accept: string): Promise<string | null> {
  const field = document.createElement("input");
  field.type = "file";
  field.accept = accept;
  return new Promise((resolve) => {
    field.addEventListener("change", () => {
      const file = field.files?.[0];
      if (file === undefined) resolve(null);
      else file.text().then(resolve, () => resolve(null));
    });
    field.addEventListener("cancel", () => resolve(null));
    field.click();
  });
}
