import { isPlainObject } from "../../shared/json.ts";

export interface Claim {
  readonly type: "preference" | "decision";
  readonly text: string;
}

export function claimsIn(input: unknown): readonly Claim[] {
  if (typeof input === "string") return input.split("\n").flatMap(claimsInLine);
  if (Array.isArray(input)) return input.flatMap(claimsIn);
  if (!isPlainObject(input)) return [];
  const type = claimType(input.episode_type ?? input.type);
  if (type === undefined) return Object.values(input).flatMap(claimsIn);
  const { content, statement, title, summary } = input;
  const text = [content, statement, title, summary].filter((one) => typeof one === "string");
  return [{ type, text: text.join(" ") }];
}

/** `remember t=preference e=tool:npm "Use pnpm." as=new`; the quoted text counts. */
function claimsInLine(line: string): readonly Claim[] {
  const type = claimType(/\b(?:t|type|episode_type)="?(\w+)/.exec(line)?.[1]);
  if (type === undefined) return [];
  const quoted = [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) => text);
  return [{ type, text: quoted.join(" ") }];
}

function claimType(value: unknown): Claim["type"] | undefined {
  return value === "preference" || value === "decision" ? value : undefined;
}
