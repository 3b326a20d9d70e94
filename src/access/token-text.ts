import { createHash, randomBytes } from "node:crypto";

const TOKEN_BYTES = 32;

/** The prefix lets secret scanners detect tokens. */
export function createTokenText(): string {
  return `cairn_${randomBytes(TOKEN_BYTES).toString("base64url")}`;
}

export function tokenHash(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
