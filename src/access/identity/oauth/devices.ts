import { randomInt } from "node:crypto";
import { z } from "zod";
import { ACCESS_SCOPES } from "../../../shared/caller.ts";
import { seal, unseal } from "../seal.ts";

/** No vowels or look-alike letters. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;
export const DEVICE_SECONDS = 600;
export const DEVICE_INTERVAL_SECONDS = 3;
const PURPOSE = "device";

const device = z.object({
  userCode: z.string(),
  client: z.string(),
  scope: z.enum(ACCESS_SCOPES),
  until: z.number(),
});

export type Device = z.output<typeof device>;

export function newUserCode(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
}

export function formatUserCode(code: string): string {
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;
}

/** Normalizes typed input; undefined if it cannot be a code. */
export function readUserCode(text: string | undefined): string | undefined {
  const code = (text ?? "").toUpperCase().replace(/[\s-]/g, "");
  return new RegExp(`^[${LETTERS}]{${LENGTH}}$`).test(code) ? code : undefined;
}

export function sealDevice(key: Buffer, value: Device): string {
  return seal(key, PURPOSE, JSON.stringify(value));
}

/** Returns undefined if the seal is invalid. The caller checks the expiry. */
export function openDevice(key: Buffer, sealed: string): Device | undefined {
  const text = unseal(key, PURPOSE, sealed);
  return text === undefined ? undefined : device.safeParse(JSON.parse(text)).data;
}
