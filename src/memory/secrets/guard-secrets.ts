import { createHash } from "node:crypto";
import { invalidInput } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";
import { applyMasks, findSecrets, getMask } from "./find-secrets.ts";
import { kindOfNamed } from "./judge-value.ts";
import type { SecretRule } from "./secret-rules.ts";

export interface MaskedField {
  readonly field: string;
  readonly kind: string;
}

export interface GuardedInput {
  readonly input: Record<string, unknown>;
  readonly masked: readonly MaskedField[];
}

/** Masks credentials in any field, or throws invalid_input if the rule is `refuse`. */
export async function guardSecrets(
  input: Record<string, unknown>,
  rule: SecretRule,
): Promise<GuardedInput> {
  if (rule === "allow") return { input, masked: [] };
  const masked: MaskedField[] = [];
  const guarded = (await guardValue(input, "", masked)) as Record<string, unknown>;
  const [first] = masked;
  if (first === undefined) return { input, masked };
  if (rule === "mask") return { input: guarded, masked };
  throw invalidInput(
    `${first.field}: contains a secret (${first.kind}), which memory does not store. Remove it, or let the setting \`secrets\` mask it`,
    { masked },
  );
}

/** Identifiers must remain distinct, so these fields are never masked. */
const UNMASKED_FIELDS: readonly string[] = ["idempotency_key"];

async function guardValue(value: unknown, path: string, masked: MaskedField[]): Promise<unknown> {
  if (typeof value === "string") return guardText(value, path, masked);
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const [index, item] of value.entries()) {
      items.push(await guardValue(item, `${path}.${index}`, masked));
    }
    return items;
  }
  if (!isPlainObject(value)) return value;
  return guardFields(value, path, masked);
}

async function guardFields(
  fields: Readonly<Record<string, unknown>>,
  path: string,
  masked: MaskedField[],
): Promise<Record<string, unknown>> {
  const guarded = new Map<string, unknown>();
  for (const [name, inner] of Object.entries(fields)) {
    const guardedName = path === "" ? name : await guardName(name, path, masked);
    const at = path === "" ? name : `${path}.${guardedName}`;
    const value = await guardNamed(
      { name: fieldName(fields, name, path), value: inner },
      at,
      masked,
    );
    guarded.set(chooseFreeName(guardedName, guarded), value);
  }
  return Object.fromEntries(guarded);
}

async function guardText(text: string, path: string, masked: MaskedField[]): Promise<string> {
  const secrets = await findSecrets(text);
  if (secrets.length === 0) return text;
  const ops = path === CHANGESET_FIELD ? parseJsonOps(text) : undefined;
  if (ops !== undefined) return guardOps(text, ops, masked);
  for (const { kind } of secrets) masked.push({ field: path, kind });
  const maskedText = applyMasks(text, secrets);
  return UNMASKED_FIELDS.includes(path) ? `${maskedText} ${getDigest(text)}` : maskedText;
}

const CHANGESET_FIELD = "changeset";

/** Checks values only if the text is suspicious: checking each takes three times as long. */
async function guardOps(
  text: string,
  ops: readonly unknown[],
  masked: MaskedField[],
): Promise<string> {
  const found: MaskedField[] = [];
  const guarded = await guardValue(ops, CHANGESET_FIELD, found);
  for (const { kind } of found) masked.push({ field: CHANGESET_FIELD, kind });
  return found.length === 0 ? text : JSON.stringify(guarded);
}

const getDigest = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, 16);

async function guardName(name: string, path: string, masked: MaskedField[]): Promise<string> {
  const secrets = await findSecrets(name);
  const maskedName = applyMasks(name, secrets);
  for (const { kind } of secrets) masked.push({ field: `${path}.${maskedName}`, kind });
  return maskedName;
}

function fieldName(
  fields: Readonly<Record<string, unknown>>,
  name: string,
  path: string,
): string | undefined {
  if (name === "value" && typeof fields.key === "string") return fields.key;
  return path === "" ? undefined : name;
}

async function guardNamed(
  { name, value }: { readonly name: string | undefined; readonly value: unknown },
  path: string,
  masked: MaskedField[],
): Promise<unknown> {
  const guarded = await guardValue(value, path, masked);
  if (name === undefined || typeof value !== "string" || guarded !== value) return guarded;
  const kind = kindOfNamed(name, value);
  if (kind === undefined) return guarded;
  masked.push({ field: path, kind });
  return getMask(kind);
}

function chooseFreeName(name: string, used: ReadonlyMap<string, unknown>): string {
  let free = name;
  for (let count = 2; used.has(free); count += 1) free = `${name} ${count}`;
  return free;
}

function parseJsonOps(text: string): readonly unknown[] | undefined {
  const source = text.replace(/^\uFEFF/, "").trim();
  if (!/^[[{]/.test(source)) return undefined;
  try {
    const ops: unknown = JSON.parse(source.startsWith("{") ? `[${source}]` : source);
    return Array.isArray(ops) ? ops : undefined;
  } catch {
    return undefined;
  }
}
