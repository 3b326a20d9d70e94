import { invalidInput } from "../../kernel/errors.ts";
import { isPlainObject } from "../../kernel/json.ts";
import { findSecrets } from "./find-secrets.ts";
import { withMasks } from "./mask-secrets.ts";
import type { SecretRule } from "./secret-rules.ts";

/** What was kept out of memory. */
export interface MaskedField {
  /** Path in the input, e.g. `content` or `metadata.key`. */
  readonly field: string;
  /** Kind of secret, e.g. `github-token`. */
  readonly kind: string;
}

export interface GuardedInput {
  readonly input: Record<string, unknown>;
  readonly masked: readonly MaskedField[];
}

/**
 * Keeps keys and tokens of known formats out of what is about to be stored, in whatever field they
 * are. Runs before the transaction. Throws invalid_input when the rule is to refuse them.
 */
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
    `${first.field}: holds a secret (${first.kind}), which memory refuses to keep. Take it out, or let the setting \`secrets\` mask it`,
    { masked },
  );
}

/** Fields that are compared with what is stored, or never stored. */
const NOT_STORED: readonly string[] = ["idempotency_key"];

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
  const fields: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(value)) {
    const at = path === "" ? name : `${path}.${name}`;
    fields.push([name, NOT_STORED.includes(at) ? inner : await guardValue(inner, at, masked)]);
  }
  return Object.fromEntries(fields);
}

async function guardText(text: string, path: string, masked: MaskedField[]): Promise<string> {
  const secrets = await findSecrets(text);
  if (secrets.length === 0) return text;
  for (const { kind } of secrets) masked.push({ field: path, kind });
  return withMasks(text, secrets);
}
