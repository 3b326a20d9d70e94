import { createHash } from "node:crypto";
import type { JsonObject } from "../../shared/json.ts";
import { truncateText } from "../../shared/text.ts";
import type { KnownItems } from "./existing-items.ts";
import type {
  ImportedConcept,
  ImportedConflict,
  ImportedEpisode,
  ImportedLabel,
  ImportedRecord,
  ImportedSettlement,
  ImportedTask,
} from "./imported-record.ts";

export type Op = Readonly<Record<string, unknown>> & { readonly op: string };

export interface WrittenRecord {
  readonly ops: readonly Op[];
  readonly outcome: "new" | "changed" | "known";
}

const MAX_NAME_CHARACTERS = 512;

/**
 * Turns records into changeset ops. Skips records of earlier imports; updates episodes whose text
 * changed in the source. Names declared with `as` are unique per writer, so batches of ops can be
 * applied separately.
 */
export class OpWriter {
  readonly #source: string;
  readonly #known: KnownItems;
  #count = 0;

  constructor(source: string, known: KnownItems) {
    this.#source = source;
    this.#known = known;
  }

  write(record: Exclude<ImportedRecord, { kind: "skipped" }>): WrittenRecord {
    switch (record.kind) {
      case "episode":
        return this.#episode(record);
      case "task":
        return this.#task(record);
      case "concept":
        return this.#concept(record);
      case "topic": {
        const existing = this.#known.topicNamed(record.name);
        if (existing !== undefined) {
          this.#known.addTopic(record.id, existing);
          return ALREADY_KNOWN;
        }
        const as = this.#declare();
        this.#known.addTopic(record.id, `$${as}`);
        return newRecord({ op: "topic", as, name: record.name, description: record.description });
      }
      case "link": {
        const from = this.#known.requireConcept(record.from);
        const to = this.#known.requireConcept(record.to);
        if (this.#known.hasEdge(from, record.type, to)) return ALREADY_KNOWN;
        const { type, strength } = record;
        return newRecord({ op: "link", from, to, type, ...withoutUndefined("strength", strength) });
      }
      case "evidence": {
        const concept = this.#known.requireConcept(record.concept);
        const episode = this.#known.requireEpisode(record.episode).ref;
        if (this.#known.hasEvidence(concept, episode)) return ALREADY_KNOWN;
        const { type, strength, note } = record;
        return newRecord({
          op: "evidence",
          concept,
          episode,
          type,
          ...withoutUndefined("strength", strength),
          ...withoutUndefined("note", note),
        });
      }
      case "entity_relation": {
        const { source, target, relation, strength, context } = record;
        if (this.#known.hasEdge(source, relation, target)) return ALREADY_KNOWN;
        return newRecord({
          op: "entity_relation",
          source,
          target,
          relation,
          ...withoutUndefined("strength", strength),
          ...withoutUndefined("context", context),
        });
      }
      case "supersession": {
        const old = this.#known.requireFact(record.old);
        if (old.superseded) return ALREADY_KNOWN;
        this.#known.supersede(record.old, record.new);
        return newRecord({
          op: "supersede",
          old: old.factRef,
          new: this.#known.requireFact(record.new).factRef,
          ...withoutUndefined("until", record.until),
        });
      }
      case "conflict":
        return this.#conflict(record);
      case "settlement":
        return this.#settlement(record);
    }
  }

  #episode(record: ImportedEpisode): WrittenRecord {
    const known = this.#known.episode(record.id);
    const hash = hashText(record.content);
    if (known !== undefined) {
      if (known.hash === undefined || known.hash === hash || known.deleted) return ALREADY_KNOWN;
      this.#known.changeText(record.id, hash);
      return {
        outcome: "changed",
        ops: [{ op: "update", id: known.ref, content: record.content }],
      };
    }
    const as = this.#declare();
    const isFact = record.type === "fact";
    this.#known.addEpisode(record.id, { ref: `$${as}`, hash, isFact });
    const ops: Op[] = [
      {
        op: "remember",
        as,
        content: record.content,
        ...withoutUndefined("t", record.type),
        ...withoutUndefined("e", withoutEmpty(record.entities)),
        ...withoutUndefined("by", shortenName(record.assertedBy)),
        ref: record.sourceRef ?? record.id,
        source_type: `import:${this.#source}`,
        labels: this.#labels(record.labels),
        metadata: { ...record.metadata, import_id: record.id, import_hash: hash } as JsonObject,
        ...withoutUndefined("session", record.session),
        ...withoutUndefined("occurred_at", record.occurredAt),
        ...withoutUndefined(
          "topic",
          record.topic === undefined ? undefined : this.#known.topic(record.topic),
        ),
      },
    ];
    if (record.processed === true) ops.push({ op: "processed", ids: [`$${as}`] });
    if (record.deleted === true) ops.push({ op: "delete", id: `$${as}` });
    return { outcome: "new", ops };
  }

  #concept(record: ImportedConcept): WrittenRecord {
    const title = shortenName(record.title) ?? record.id;
    const existing = this.#known.conceptTitled(title);
    if (existing !== undefined) {
      this.#known.addConcept(record.id, existing);
      return ALREADY_KNOWN;
    }
    const ops: Op[] = [];
    const from = this.#getRefs(record.from);
    if (from.length === 0) from.push(this.#getSource(record, title, ops));
    const as = this.#declare();
    this.#known.addConcept(record.id, `$${as}`);
    ops.push({
      op: "concept",
      as,
      title,
      from,
      summary: record.summary,
      labels: this.#labels(record.labels),
      ...withoutUndefined("type", shortenName(record.type)),
      ...withoutUndefined("confidence", record.confidence),
      ...withoutUndefined("tags", withoutEmpty(record.tags)),
      ...withoutUndefined(
        "topic",
        record.topic === undefined ? undefined : this.#known.topic(record.topic),
      ),
    });
    if (record.deleted === true) ops.push({ op: "delete", id: `$${as}` });
    return { outcome: "new", ops };
  }

  /** A concept needs a source episode; if none is left, its own text becomes one. */
  #getSource(record: ImportedConcept, title: string, ops: Op[]): string {
    const id = `concept:${record.id}`;
    const written = this.#episode({
      kind: "episode",
      id,
      content: record.summary.trim() === "" ? title : record.summary,
      processed: true,
    });
    ops.push(...written.ops);
    return this.#known.requireEpisode(id).ref;
  }

  #task(record: ImportedTask): WrittenRecord {
    const { ref } = this.#known.requireEpisode(record.episode);
    if (this.#known.isTask(ref)) return ALREADY_KNOWN;
    const [plan] = this.#getRefs(record.plan === undefined ? [] : [record.plan]);
    const fields = {
      ...withoutUndefined("plan_id", plan),
      ...withoutUndefined("spec_ids", withoutEmpty(this.#getRefs(record.specs))),
      ...withoutUndefined("depends_on", withoutEmpty(this.#getRefs(record.dependsOn))),
      ...withoutUndefined("priority", record.priority),
    };
    return Object.keys(fields).length === 0
      ? ALREADY_KNOWN
      : newRecord({ op: "update", id: ref, ...fields });
  }

  #getRefs(ids: readonly string[]): string[] {
    return ids.flatMap((id) => {
      const episode = this.#known.episode(id);
      return episode === undefined || episode.deleted ? [] : [episode.ref];
    });
  }

  #conflict({ id, description, severity, ...pair }: ImportedConflict): WrittenRecord {
    const factA = this.#known.requireFact(pair.factA);
    const factB = this.#known.requireFact(pair.factB);
    if (factA.superseded || factB.superseded) return ALREADY_KNOWN;
    if (this.#known.hasConflict(factA.factRef, factB.factRef)) return ALREADY_KNOWN;
    const as = this.#declare();
    this.#known.addOpened(id, { ref: `$${as}`, facts: [pair.factA, pair.factB] });
    return newRecord({
      op: "conflict",
      as,
      fact_a: factA.factRef,
      fact_b: factB.factRef,
      description,
      ...withoutUndefined("severity", severity),
    });
  }

  #settlement({ conflict, winner, note, by, until }: ImportedSettlement): WrittenRecord {
    const conflictRef = this.#known.opened(conflict);
    if (conflictRef === undefined) return ALREADY_KNOWN;
    const decision = {
      id: conflictRef.ref,
      ...withoutUndefined("note", note),
      ...withoutUndefined("by", shortenName(by)),
    };
    if (winner === undefined) return newRecord({ op: "dismiss", ...decision });
    const loser = conflictRef.facts.find((fact) => fact !== winner) ?? winner;
    // Superseding a fact resolves its conflict with the new one.
    if (this.#known.requireFact(loser).supersededBy === winner) return ALREADY_KNOWN;
    this.#known.supersede(loser, winner);
    const { factRef } = this.#known.requireFact(winner);
    return newRecord({
      op: "resolve",
      ...decision,
      winner: factRef,
      ...withoutUndefined("until", until),
    });
  }

  #labels(labels: readonly ImportedLabel[] = []): readonly ImportedLabel[] {
    const own = { key: "import", value: this.#source };
    if (labels.length === 0) return [own];
    return [own, ...labels]
      .map(({ key, value }) => ({
        key: key.replaceAll("=", "-").trim().slice(0, MAX_NAME_CHARACTERS),
        value: value.trim().slice(0, MAX_NAME_CHARACTERS),
      }))
      .filter(({ key, value }) => key !== "" && value !== "");
  }

  #declare(): string {
    this.#count += 1;
    return `i${this.#count}`;
  }
}

const ALREADY_KNOWN: WrittenRecord = { outcome: "known", ops: [] };

function newRecord(op: Op): WrittenRecord {
  return { outcome: "new", ops: [op] };
}

function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

function withoutUndefined(key: string, value: unknown): Record<string, unknown> {
  return value === undefined ? {} : { [key]: value };
}

function withoutEmpty(list: readonly string[] | undefined): readonly string[] | undefined {
  return list === undefined || list.length === 0 ? undefined : list;
}

function shortenName(text: string | undefined): string | undefined {
  const shortened =
    text === undefined ? undefined : truncateText(text.trim(), MAX_NAME_CHARACTERS).trim();
  return shortened === undefined || shortened === "" ? undefined : shortened;
}
