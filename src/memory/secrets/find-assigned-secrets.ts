import type { FoundSecret } from "./found-secret.ts";
import { isSecretValue, type ValueForm } from "./judge-value.ts";
import { kindOfName, MORE_OF_A_NAME, NAME_OF_A_SECRET, type NamedAs } from "./secret-names.ts";

/** How a value stands beside its name. All but `next` are tried at a known place. */
export const ASSIGNMENT = {
  /** Between a name and its value: `=`, `: `, `=>`, `:=`, `", "`, `">`, `" value="`, `|`. */
  assigns:
    /\\?["'`\])]{0,2}[ \t]{0,8}(?:\?=|\|\|=|:{1,3}=|=>|={1,2}|:|\\?["'`],(?= ?\\?["'`])|>(?=[^\s<])|\|(?= ?[^\s|]))(?:[ \t]{1,8}|(?:\r?\n[ \t]{1,8})(?=["'`]))?(?:[brf](?=["']))?/y,
  separate: /\\?["'`] {0,3}value=/iy,
  quoted:
    /\\?(?:"(?<double>[^"\n\\]{1,512})\\?"|'(?<single>[^'\n\\]{1,512})\\?'|`(?<back>[^`\n\\]{1,512})\\?`)/dy,
  bare: /[^\s"'`<>\\]{1,512}/y,
  /** Behind a value that is one of several. */
  next: /[;,&](?=$|[A-Za-z_][\w.-]{0,40}[=:]|[)\]}])/,
  scheme: /(?:bearer|basic|token|apikey|api-key|digest|negotiate)[ \t]{1,3}/iy,
};

/**
 * Values beside the name of a secret: `DB_PASSWORD=…`, `"api_key": "…"`, `password: …`,
 * `AccountKey=…;`, `setenv("TOKEN", "…")`, `<password>…</password>`.
 */
export function findAssignedSecrets(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const match of text.matchAll(NAME_OF_A_SECRET)) {
    const { 0: word, index } = match;
    const secret = besideName(text, { word, begin: index, end: index + word.length });
    if (secret !== undefined) found.push(secret);
  }
  return found;
}

interface NamePlace {
  readonly word: string;
  readonly begin: number;
  readonly end: number;
}

function besideName(text: string, { word, begin, end }: NamePlace): FoundSecret | undefined {
  const name = at(MORE_OF_A_NAME, text, end)?.end ?? end;
  const assigns = at(ASSIGNMENT.separate, text, name) ?? at(ASSIGNMENT.assigns, text, name);
  if (assigns === undefined) return undefined;
  const namedAs = kindOfName(word);
  const quoted = at(ASSIGNMENT.quoted, text, assigns.end);
  if (quoted !== undefined) {
    const { double, single, back } = quoted.match.indices?.groups ?? {};
    const [start, stop] = double ?? single ?? back ?? [quoted.end, quoted.end];
    return judged({ value: text.slice(start, stop), start, form: "quoted", namedAs });
  }
  const from = at(ASSIGNMENT.scheme, text, assigns.end)?.end ?? assigns.end;
  const bare = at(ASSIGNMENT.bare, text, from);
  if (bare === undefined) return undefined;
  const isSetting = isProgramText(text, { word, begin, end: name }, assigns.match[0]);
  return judged({
    value: trimmed(bare.match[0]),
    start: from,
    form: isSetting ? "setting" : "bare",
    namedAs,
  });
}

interface Judged {
  readonly value: string;
  readonly start: number;
  readonly form: ValueForm;
  readonly namedAs: NamedAs;
}

function judged({ value, start, form, namedAs }: Judged): FoundSecret | undefined {
  if (!isSecretValue({ value, namedAs, form })) return undefined;
  return { start, end: start + value.length, kind: namedAs };
}

/** `DB_PASSWORD=…` in capitals, without blanks: no sentence is written so. */
function isProgramText(text: string, { begin, end }: NamePlace, assigns: string): boolean {
  return assigns === "=" && /^[A-Z0-9_]+$/.test(text.slice(begin, end));
}

function trimmed(value: string): string {
  const next = value.search(ASSIGNMENT.next);
  const one = next < 0 ? value : value.slice(0, next);
  return one.replace(/[.,;:)\]}]{1,4}$/, "");
}

function at(pattern: RegExp, text: string, place: number) {
  const sticky = new RegExp(pattern);
  sticky.lastIndex = place;
  const match = sticky.exec(text);
  return match === null ? undefined : { match, end: sticky.lastIndex };
}
