import { COMMAND_FORMS } from "./command-forms.ts";
import type { FoundSecret } from "./found-secret.ts";
import { isSecretValue } from "./judge-value.ts";
import type { NamedAs } from "./secret-names.ts";

/** How far before an option the name of its program is looked for. */
const SAME_LINE = 400;

export function findCommandSecrets(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const { namedAs, programs, pattern } of COMMAND_FORMS) {
    if (programs !== undefined && !programs.test(text)) continue;
    for (const match of text.matchAll(pattern)) {
      if (programs !== undefined && !programs.test(lineBefore(text, match.index))) continue;
      const secret = secretOf(match, namedAs);
      if (secret !== undefined) found.push(secret);
    }
  }
  return found;
}

function lineBefore(text: string, place: number): string {
  const before = text.slice(Math.max(0, place - SAME_LINE), place).replaceAll("\\\n", "  ");
  return before.slice(Math.max(before.lastIndexOf("\n"), before.lastIndexOf("|")) + 1);
}

function secretOf(match: RegExpExecArray, namedAs: NamedAs): FoundSecret | undefined {
  for (const group of ["quoted", "single", "bare"]) {
    const [start] = match.indices?.groups?.[group] ?? [];
    if (start === undefined) continue;
    const value = (match.groups?.[group] ?? "").replace(/[.,;:)\]}]{1,4}$/, "");
    const form = group === "bare" ? "bare" : "quoted";
    if (!isSecretValue({ value, namedAs, form })) return undefined;
    return { start, end: start + value.length, kind: namedAs };
  }
  return undefined;
}
