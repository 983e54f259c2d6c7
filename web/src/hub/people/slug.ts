// Ids of workspaces and names of secrets: DNS labels (hub/life/names.py has the same rules).

export const LONGEST_SLUG = 63;
const SLUG = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const RESERVED = new Set("admin api boards hub login logout me new public static system".split(" "));

/** Proposes an id for a name; empty if nothing of the name can be part of one. */
export function slugOf(name: string): string {
  const plain = name.normalize("NFKD").replace(/[^\x20-\x7e]/g, "");
  const slug = plain.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const cut = slug.replace(/^-+/, "").slice(0, LONGEST_SLUG).replace(/-+$/, "");
  return RESERVED.has(cut) ? `${cut}-1` : cut;
}

export type SlugFault = "empty" | "form" | "reserved";

export function slugFault(slug: string): SlugFault | null {
  if (slug === "") return "empty";
  if (RESERVED.has(slug)) return "reserved";
  return SLUG.test(slug) ? null : "form";
}
