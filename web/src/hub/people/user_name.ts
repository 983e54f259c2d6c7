// Names that users sign in with (hub/life/names.py has the same rule). Upper case is accepted and folded by the hub.

export function isUserName(text: string): boolean {
  return /^[a-z0-9]([a-z0-9._@+-]{0,62}[a-z0-9])?$/.test(text.normalize("NFKC").trim().toLowerCase());
}
