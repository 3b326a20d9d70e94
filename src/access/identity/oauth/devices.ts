import { randomInt } from "node:crypto";
import { z } from "zod";
import { ACCESS_SCOPES } from "../../../shared/caller.ts";
import { seal, unseal } from "../seal.ts";

/** Letters that are not taken for others and make no words. */
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

/** `BCDFGHJK` */
export function newUserCode(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
}

/** As people read it: `BCDF-GHJK`. */
export function formatUserCode(code: string): string {
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;
}

/** As people type it; undefined for what no device shows. */
export function readUserCode(text: string | undefined): string | undefined {
  const code = (text ?? "").toUpperCase().replace(/[\s-]/g, "");
  return new RegExp(`^[${LETTERS}]{${LENGTH}}$`).test(code) ? code : undefined;
}

export function sealDevice(key: Buffer, value: Device): string {
  return seal(key, PURPOSE, JSON.stringify(value));
}

/** Undefined for what no device was given. Whether it is over is for the caller to say. */
export function openDevice(key: Buffer, sealed: string): Device | undefined {
  const text = unseal(key, PURPOSE, sealed);
  return text === undefined ? undefined : device.safeParse(JSON.parse(text)).data;
}
