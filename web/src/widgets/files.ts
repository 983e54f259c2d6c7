// Downloads files, and opens files that the user picks.

export function saveFile(name: string, body: Blob): void {
  const address = URL.createObjectURL(body);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // the browser reads the URL after the click; a minute is enough
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Returns a file name that is valid on every file system. */
export function fileName(title: string, ending: string): string {
  const safe = title.replace(/[\p{Cc}\p{Cs}<>:"/\\|?*]+/gu, "_").replace(/^\.+/, "_");
  return `${safe.slice(0, 120) || "chart"}${ending === "" ? "" : `.${ending}`}`;
}

/** Downloads from a URL of the board; if the name has no extension, the browser adds one by content type. */
export function saveAddress(address: string, name: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName(name, "");
  link.click();
}

/** Returns the text of a file that the user picks; null if none was picked. */
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
