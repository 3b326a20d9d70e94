import { createHash, randomBytes } from "node:crypto";

const BYTES = 32;

/** The prefix lets secret scanners detect tokens. */
export function newTokenText(): string {
  return `cairn_${randomBytes(BYTES).toString("base64url")}`;
}

export function tokenHash(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
