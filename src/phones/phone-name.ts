import { randomBytes } from "node:crypto";

const KINDS = [
  [/iPhone/, "iphone"],
  [/iPad/, "ipad"],
  [/Android/, "android"],
  [/Windows/, "windows"],
  [/Macintosh/, "mac"],
  [/Linux/, "linux"],
] as const;

/** What a phone is called that nobody has named: `android-3f2a`. */
export function nameOfPhone(userAgent: string): string {
  const kind = KINDS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? "phone";
  return `${kind}-${randomBytes(2).toString("hex")}`;
}
