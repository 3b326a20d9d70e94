import { invalidInput } from "../../shared/errors.ts";
import { ID_PREFIXES, type NumberedKind } from "../../shared/ids.ts";
import { shorten } from "../../shared/text.ts";

const KINDS_BY_PREFIX = new Map(
  Object.entries(ID_PREFIXES).map(([kind, prefix]) => [prefix as string, kind as NumberedKind]),
);
const NUMBERED_ID = new RegExp(`^(${[...KINDS_BY_PREFIX.keys()].join("|")}):([1-9][0-9]{0,14})$`);
const CONCEPT_ID = /^[^\s,$:]{1,128}$/;

export const episodeId = (number: number): string => `ep:${number}`;
export const factId = (number: number): string => `fact:${number}`;
export const conflictId = (number: number): string => `conflict:${number}`;
export const sourceId = (number: number): string => `source:${number}`;
export const passageId = (number: number): string => `passage:${number}`;
export const proposalId = (number: number): string => `proposal:${number}`;
export const changeId = (number: number): string => `change:${number}`;

const CHANGE_ID = /^(?:change:)?([1-9][0-9]{0,14})$/;

/** Accepts a change id or its bare number. */
export function parseChangeId(text: string, field: string): number {
  const number = CHANGE_ID.exec(text)?.[1];
  if (number !== undefined) return Number(number);
  throw invalidInput(`${field}: "${shorten(text, 80)}" is not a change id such as change:1`);
}

export function parseNumberedId(text: string, kind: NumberedKind, field: string): number {
  const match = NUMBERED_ID.exec(text);
  if (match?.[1] === ID_PREFIXES[kind]) return Number(match[2]);
  const found = kindOfId(text);
  const hint =
    found === undefined || found === kind
      ? ""
      : ` "${text}" is the id of ${indefiniteArticle(found)} ${found}.`;
  throw invalidInput(
    `${field}: "${shorten(text, 80)}" is not ${indefiniteArticle(kind)} ${kind} id; these look like ${ID_PREFIXES[kind]}:1.${hint}`,
  );
}

export function parseConceptId(text: string, field: string): string {
  if (CONCEPT_ID.test(text)) return text;
  const found = kindOfId(text);
  const hint =
    found === undefined ? "" : ` "${text}" is the id of ${indefiniteArticle(found)} ${found}.`;
  throw invalidInput(`${field}: "${shorten(text, 80)}" is not a concept id.${hint}`);
}

export function kindOfId(text: string): NumberedKind | "concept" | "entity" | undefined {
  const numbered = KINDS_BY_PREFIX.get(NUMBERED_ID.exec(text)?.[1] ?? "");
  if (numbered !== undefined) return numbered;
  if (CONCEPT_ID.test(text)) return "concept";
  return text.includes(":") ? "entity" : undefined;
}

function indefiniteArticle(noun: string): string {
  return /^[aeiou]/.test(noun) ? "an" : "a";
}
