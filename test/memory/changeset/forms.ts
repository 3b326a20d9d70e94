import type { ChangesetForm } from "../../../src/memory/changeset/changeset-form.ts";

const NOTE = { note: "note", reason: "note" };

/** Exercises all features of the form definitions; each operation defines its own form. */
const FORMS: readonly ChangesetForm[] = [
  {
    op: "remember",
    keys: {
      t: "episode_type",
      e: "entities",
      by: "asserted_by",
      ref: "source_ref",
      labels: "labels",
      depends_on: "depends_on",
    },
    text: "content",
    types: { entities: "list" },
    refs: { depends_on: "other" },
  },
  {
    op: "supersede",
    keys: { old: "old", new: "new", ...NOTE },
    text: "note",
    nameless: true,
    refs: { old: "fact", new: "fact" },
  },
  {
    op: "resolve",
    keys: { id: "id", winner: "winner", ...NOTE },
    bare: "id",
    text: "note",
    nameless: true,
    refs: { id: "other", winner: "fact" },
  },
  {
    op: "concept",
    keys: { title: "title", from: "from", relations: "relations", confidence: "confidence" },
    text: "summary",
    types: { from: "list", relations: "json", confidence: "number" },
    refs: { from: "other", "relations.target_id": "other" },
  },
  {
    op: "update",
    keys: { id: "id" },
    bare: "id",
    open: true,
    nameless: true,
    types: { confidence: "number" },
    refs: { id: "other" },
  },
  { op: "delete", keys: { id: "id" }, bare: "id", nameless: true, refs: { id: "other" } },
  {
    op: "processed",
    keys: { ids: "ids", all: "all", limit: "limit" },
    nameless: true,
    types: { all: "boolean", limit: "integer" },
    refs: { ids: "other" },
  },
];

export const forms: ReadonlyMap<string, ChangesetForm> = new Map(
  FORMS.map((form) => [form.op, form]),
);
