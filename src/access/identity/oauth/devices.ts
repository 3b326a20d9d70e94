import { randomInt } from "node:crypto";
import { z } from "zod";
import { ACCESS_SCOPES } from "../../../shared/caller.ts";
import { seal, unseal } from "../seal.ts";

/** No vowels or look-alike letters. */
const USER_CODE_ALPHABET = "BCDFGHJKLMNPQRSTVWXZ";
const USER_CODE_LENGTH = 8;
export const DEVICE_SECONDS = 600;
export const DEVICE_INTERVAL_SECONDS = 3;
const SIGNING_PURPOSE = "device";

const device = z.object({
  userCode: z.string(),
  client: z.string(),
  scope: z.enum(ACCESS_SCOPES),
  until: z.number(),
});

export type Device = z.output<typeof device>;

export function createUserCode(): string {
  return Array.from(
    { length: USER_CODE_LENGTH },
    () => USER_CODE_ALPHABET[randomInt(USER_CODE_ALPHABET.length)],
  ).join("");
}

export function formatUserCode(code: string): string {
  return `${code.slice(0, USER_CODE_LENGTH / 2)}-${code.slice(USER_CODE_LENGTH / 2)}`;
}

/** Normalizes typed input; undefined if it cannot be a code. */
export function readUserCode(text: string | undefined): string | undefined {
  const code = (text ?? "").toUpperCase().replace(/[\s-]/g, "");
  return new RegExp(`^[${USER_CODE_ALPHABET}]{${USER_CODE_LENGTH}}$`).test(code) ? code : undefined;
}

export function sealDevice(key: Buffer, value: Device): string {
  return seal(key, SIGNING_PURPOSE, JSON.stringify(value));
}

/** Returns undefined if the seal is invalid. The caller checks the expiry. */
export function openDevice(key: Buffer, sealed: string): Device | undefined {
  const text = unseal(key, SIGNING_PURPOSE, sealed);
  return text === undefined ? undefined : device.safeParse(JSON.parse(text)).data;
}
