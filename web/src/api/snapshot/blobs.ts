// Images of a snapshot: each is an element with the key of its blob, as base64. Its address is made on first use.

/** Returns the element with the bytes of a blob; null if the snapshot does not have it. */
function elementOf(key: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`script[data-blob="${CSS.escape(key)}"]`);
}

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

/** Returns the blob with this key; null if the snapshot does not have it. */
export function recordedBlob(key: string): Blob | null {
  const element = elementOf(key);
  return element === null ? null : new Blob([bytesOf(element.textContent ?? "")], { type: element.dataset.type ?? "" });
}

/** Returns an address for `<img>`. One that the snapshot does not have gets an address that loads nothing. */
export function recordedAddress(key: string): string {
  const element = elementOf(key);
  const blob = recordedBlob(key);
  if (element === null || blob === null) return `data:,${key}`;
  element.dataset.address ??= URL.createObjectURL(blob);
  return element.dataset.address;
}

/** Returns the key of such an address. */
export function recordedKey(address: string): string {
  const known = document.querySelector<HTMLElement>(`script[data-address="${CSS.escape(address)}"]`)?.dataset.blob;
  return known ?? address.slice(address.lastIndexOf(",") + 1);
}
