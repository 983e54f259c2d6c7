// The members of each kind of secret, and what must be entered (hub/sources/secrets.py has the same rules).

import type { SecretKind } from "../api/types";

export type SecretForm = "text" | "url" | "hidden" | "json" | "style";
export type SecretField = { readonly name: string; readonly form: SecretForm; readonly rare?: boolean };
export type Members = Readonly<Record<string, string>>;
export type SecretFault = "required" | "url" | "json" | "oneOf";

export const SECRET_KINDS: readonly SecretKind[] = ["s3", "oss", "gs", "az", "web"];

const KEYS: readonly SecretField[] = [
  { name: "endpoint", form: "url" },
  { name: "access_key", form: "text" },
  { name: "secret_key", form: "hidden" },
];
const RARE: readonly SecretField[] = [
  { name: "region", form: "text", rare: true },
  { name: "style", form: "style", rare: true },
  { name: "session_token", form: "hidden", rare: true },
];

export const SECRET_FIELDS: Readonly<Record<SecretKind, readonly SecretField[]>> = {
  s3: [...KEYS, ...RARE],
  oss: [...KEYS, ...RARE],
  gs: [
    { name: "credentials", form: "json" },
    { name: "endpoint", form: "url", rare: true },
  ],
  az: [
    { name: "account", form: "text" },
    { name: "account_key", form: "hidden" },
    { name: "sas_token", form: "hidden" },
    { name: "endpoint", form: "url", rare: true },
  ],
  web: [
    { name: "endpoint", form: "url" },
    { name: "username", form: "text" },
    { name: "password", form: "hidden" },
    { name: "token", form: "hidden" },
  ],
};

/** Fields that hold a credential: not needed for public data. */
const CREDENTIALS = new Set([
  "access_key",
  "secret_key",
  "session_token",
  "credentials",
  "account_key",
  "sas_token",
  "username",
  "password",
  "token",
]);

export function isCredential(field: SecretField): boolean {
  return CREDENTIALS.has(field.name);
}

/** An address to test, as it begins for each kind. */
export const EXAMPLE_PLACES: Readonly<Record<SecretKind, string>> = {
  s3: "s3://bucket/path",
  oss: "oss://bucket/path",
  gs: "gs://bucket/path",
  az: "az://container/path",
  web: "https://logs.example.org/path/",
};

/** Returns what is to be sent: members of this kind that are not empty. */
export function membersOf(kind: SecretKind, entered: Members, anonymous: boolean): Members {
  const wanted = SECRET_FIELDS[kind].filter((field) => !anonymous || !isCredential(field));
  const members = wanted.map(({ name, form }) => [
    name,
    form === "json" ? (entered[name] ?? "") : (entered[name] ?? "").trim(),
  ]);
  const filled = members.filter(([, value]) => value !== "");
  return Object.fromEntries(anonymous ? [...filled, ["anonymous", "true"]] : filled);
}

/** Returns what is wrong with each field; empty if it can be sent. */
export function faultsOf(
  kind: SecretKind,
  members: Members,
  anonymous: boolean,
): Readonly<Record<string, SecretFault>> {
  const faults: Record<string, SecretFault> = {};
  const has = (name: string): boolean => (members[name] ?? "") !== "";
  const need = (...names: readonly string[]): void => {
    for (const name of names) if (!has(name)) faults[name] = "required";
  };
  if (has("endpoint") && !/^https?:\/\/[^/\s@]+/.test(members.endpoint ?? "")) faults.endpoint = "url";
  if (kind === "web") need("endpoint");
  if (kind === "az") need("account");
  if (anonymous) return faults;
  if (kind === "s3" || kind === "oss") need("access_key", "secret_key");
  if (kind === "gs") {
    need("credentials");
    if (has("credentials") && !isServiceAccount(members.credentials ?? "")) faults.credentials = "json";
  }
  if (kind === "az" && !has("account_key") && !has("sas_token")) faults.account_key = "oneOf";
  if (kind === "web" && !has("token")) {
    if (has("username")) need("password");
    else faults.username = "oneOf";
  }
  return faults;
}

function isServiceAccount(text: string): boolean {
  try {
    const key: unknown = JSON.parse(text);
    return typeof key === "object" && key !== null && "type" in key && key.type === "service_account";
  } catch {
    return false;
  }
}
