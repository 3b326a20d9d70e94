import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import type { StoredRecords } from "../../database/index.ts";
import { isPlainObject } from "../../shared/json.ts";

const KEY_KIND = "key";
const KEY_ID = "seal";
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The key shared by all servers of a store; created on first use. */
export async function ensureKey(records: StoredRecords): Promise<Buffer> {
  const known = readKey(await records.get(KEY_KIND, KEY_ID));
  if (known !== undefined) return known;
  let key = randomBytes(KEY_BYTES);
  await records.change(KEY_KIND, KEY_ID, (before) => {
    key = readKey(before) ?? key;
    return { key: key.toString("base64url") };
  });
  return key;
}

function readKey(record: object | undefined): Buffer<ArrayBuffer> | undefined {
  if (!isPlainObject(record) || typeof record.key !== "string") return undefined;
  const key = Buffer.from(record.key, "base64url");
  return key.length === KEY_BYTES ? key : undefined;
}

/** Encrypts and authenticates text for one purpose. */
export function seal(key: Buffer | string, purpose: string, text: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", deriveKey(key, purpose), iv);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url");
}

/** Returns undefined if the text was not sealed with this key and purpose. */
export function unseal(key: Buffer | string, purpose: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, "base64url");
  if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
  const iv = bytes.subarray(0, IV_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", deriveKey(key, purpose), iv);
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}

export function signature(key: Buffer, purpose: string, text: string): string {
  return createHmac("sha256", deriveKey(key, purpose)).update(text).digest("base64url");
}

function deriveKey(key: Buffer | string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", key, "cairn", purpose, KEY_BYTES));
}
