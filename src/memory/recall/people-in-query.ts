import { escapePattern } from "../../shared/text.ts";
import type { EntityRow } from "../entities/entity.queries.ts";
import { isStopWord, wordsOf } from "../search/query-words.ts";

const PERSON = "person";
/** Words and signs between people who are asked about together, in ten languages. */
const JOINED: ReadonlySet<string> = new Set([
  "",
  ..."& + / and or und oder et ou y e o u ja tai и или ve veya".split(" "),
]);

/**
 * The query without the names of people: a sentence encoder gets nothing from a name, and the name
 * drowns the other words; the entity is matched separately. If only stop words would remain, the
 * query stays whole.
 */
export function withoutPeople(query: string, entities: readonly EntityRow[]): string {
  const people = peopleOf(entities);
  if (people.length === 0) return query;
  const rest = query.replace(patternOf(people), "");
  return wordsOf(rest).every(isStopWord) ? query : rest;
}

/**
 * Numbers of the people whom a question names only aside. The question is about the first person
 * named and those joined to that one: "What did Ada tell Bob and Carl?" asks what Ada said.
 */
export function peopleAside(query: string, entities: readonly EntityRow[]): number[] {
  const people = peopleOf(entities);
  if (people.length < 2) return [];
  const asked = new Set<string>();
  const aside = new Set<string>();
  let end: number | undefined;
  for (const match of query.matchAll(patternOf(people))) {
    const name = normalised(match[1] ?? "");
    const isAsked = aside.size === 0 && isJoined(query.slice(end ?? match.index, match.index));
    if (isAsked) asked.add(name);
    else if (!asked.has(name)) aside.add(name);
    end = match.index + match[0].length;
  }
  return people.flatMap(({ id, name }) => (aside.has(normalised(name)) ? [id] : []));
}

function isJoined(between: string): boolean {
  return JOINED.has(between.replace(/[\s,]/g, "").toLowerCase());
}

function peopleOf(entities: readonly EntityRow[]): EntityRow[] {
  return entities.filter(({ type }) => type === PERSON);
}

/** A pattern for any of these names, longest first, with the English possessive. */
function patternOf(people: readonly EntityRow[]): RegExp {
  const names = people
    .map(({ name }) => name)
    .sort((a, b) => b.length - a.length)
    .map((name) => escapePattern(name).replace(/\s+/g, "\\s+"));
  return new RegExp(`(?<![\\p{L}\\p{N}])(${names.join("|")})(?:['’]s)?(?![\\p{L}\\p{N}])`, "giu");
}

function normalised(name: string): string {
  return name.replace(/\s+/g, " ").toLowerCase();
}
