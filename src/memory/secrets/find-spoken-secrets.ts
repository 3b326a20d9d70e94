import type { FoundSecret } from "./found-secret.ts";
import { isSecretValue } from "./judge-value.ts";
import type { NamedAs } from "./secret-names.ts";
import { SPOKEN_FORMS } from "./spoken-forms.ts";

export function findSpokenSecrets(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const { namedAs, pattern } of SPOKEN_FORMS) {
    for (const match of text.matchAll(pattern)) {
      const [start] = match.indices?.groups?.value ?? [];
      const value = trimmed(match.groups?.value ?? "");
      if (start === undefined || !isTold(value, namedAs, text[start - 1])) continue;
      found.push({ start, end: start + value.length, kind: namedAs });
    }
  }
  return found;
}

/** A sentence has many words behind "is": only what no word looks like is a secret. */
function isTold(value: string, namedAs: NamedAs, before: string | undefined): boolean {
  // A word of a changeset or a command line, which has its own name.
  if (/^[A-Za-z_-]{1,24}=/.test(value)) return false;
  if (/^[0-9]{4,8}$/.test(value))
    return namedAs === "password" && !/^(?:19|20)[0-9]{2}$/.test(value);
  if (/^["'`“„]$/.test(before ?? "") && /[0-9!@#$%^&*]/.test(value)) {
    return isSecretValue({ value, namedAs, form: "quoted" });
  }
  return isSecretValue({ value, namedAs, form: "bare" });
}

/** Without what ends the sentence; passwords end with `!` and `?` too. */
const trimmed = (value: string): string => value.replace(/[.,;:)\]}]{1,4}$/, "");
