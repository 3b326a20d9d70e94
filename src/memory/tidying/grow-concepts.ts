import { and, desc, eq, isNull } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { shorten } from "../../shared/text.ts";
import { addSources, loadConcept } from "../concepts/concept.queries.ts";
import { conceptSources, concepts } from "../concepts/concept.table.ts";
import { insertConcept } from "../concepts/insert-concept.ts";
import { updateConceptFields } from "../concepts/update-concept-fields.ts";
import type { WriteContext } from "../context/write-context.ts";
import { entities } from "../entities/entity.table.ts";
import { episodeEntities, episodes } from "../episodes/episode.table.ts";
import { facts } from "../facts/fact.table.ts";
import { episodeId } from "../input/item-ids.ts";
import { holdsAsOneOf } from "../learned/held-episodes.ts";
import { isFirstTime } from "./tidied.ts";

/** From so many decisions and preferences about one thing on, they are read together. */
const ENOUGH = 4;
const MOST_STATEMENTS = 5_000;
const MOST_SHOWN = 8;
const LONGEST_LINE = 200;
/** The kind of concept that is a digest of what holds about something. */
const TYPE = "summary";

export interface Grown {
  readonly id: string;
  readonly title: string;
  /** Statements that are new in it. */
  readonly added: number;
}

interface Subject {
  readonly entity: number;
  readonly name: string;
  /** Numbers of episodes, the newest first, with what they say. */
  readonly statements: Map<number, string>;
}

/**
 * Makes a concept of what was decided about a thing once there is enough of it, and lets it follow. What
 * somebody deleted, or took back, is not made again.
 */
export async function growConcepts(context: WriteContext): Promise<Grown[]> {
  const grown: Grown[] = [];
  for (const subject of await subjects(context.tx)) {
    if (subject.statements.size < ENOUGH) continue;
    const one = await grow(context, subject);
    if (one !== undefined) grown.push(one);
  }
  return grown;
}

async function grow(context: WriteContext, subject: Subject): Promise<Grown | undefined> {
  const { tx } = context;
  const title = `What was decided about ${subject.name}`;
  const summary = [...subject.statements.values()]
    .slice(0, MOST_SHOWN)
    .map((content) => `- ${shorten(content.replaceAll(/\s+/g, " "), LONGEST_LINE)}`)
    .join("\n");
  const numbers = [...subject.statements.keys()];
  const [known] = await tx
    .select()
    .from(concepts)
    .where(and(eq(concepts.title, title), eq(concepts.type, TYPE), isNull(concepts.deletedAt)));
  if (known === undefined) {
    if (!(await isFirstTime(tx, `entity:${subject.entity}`))) return undefined;
    const row = await insertConcept(context, { title, summary, type: TYPE, sources: numbers });
    const payload = { title, type: TYPE, from: numbers.map(episodeId) };
    const subjectOfEvent = { subjectType: "concept", subjectId: row.publicId } as const;
    await context.emit({ kind: "concept_created", ...subjectOfEvent, payload });
    return { id: row.publicId, title, added: numbers.length };
  }
  if (known.summary === summary) return undefined;
  const before = await sourcesOf(tx, known.id);
  const added = numbers.filter((number) => !before.has(number));
  await addSources(tx, known.id, added);
  await tx
    .update(concepts)
    .set({ instanceCount: before.size + added.length })
    .where(eq(concepts.id, known.id));
  await updateConceptFields(context, { concept_id: known.publicId, summary });
  const { id } = await loadConcept(tx, known.id);
  return { id, title, added: added.length };
}

async function sourcesOf(tx: Tx, concept: number): Promise<Set<number>> {
  const rows = await tx
    .select({ id: conceptSources.episodeId })
    .from(conceptSources)
    .where(eq(conceptSources.conceptId, concept));
  return new Set(rows.map(({ id }) => id));
}

/** Decisions and preferences that hold, by the things that they are about; not by file, which are many. */
async function subjects(tx: Tx): Promise<Subject[]> {
  const rows = await tx
    .select({
      entity: entities.id,
      type: entities.type,
      name: entities.name,
      episode: episodes.id,
      content: episodes.content,
    })
    .from(episodes)
    .innerJoin(episodeEntities, eq(episodeEntities.episodeId, episodes.id))
    .innerJoin(entities, eq(entities.id, episodeEntities.entityId))
    .leftJoin(facts, eq(facts.episodeId, episodes.id))
    .where(holdsAsOneOf(["decision", "preference"]))
    .orderBy(desc(episodes.id))
    .limit(MOST_STATEMENTS);
  const found = new Map<number, Subject>();
  for (const { entity, type, name, episode, content } of rows) {
    if (type === "file") continue;
    const one = found.get(entity) ?? { entity, name, statements: new Map<number, string>() };
    one.statements.set(episode, content);
    found.set(entity, one);
  }
  return [...found.values()];
}
