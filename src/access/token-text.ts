import { createHash, randomBytes } from "node:crypto";

const BYTES = 32;

/** A token that nobody can guess; its beginning tells people and scanners what it is. */
export function newTokenText(): string {
  return `cairn_${randomBytes(BYTES).toString("base64url")}`;
}

export function tokenHash(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
