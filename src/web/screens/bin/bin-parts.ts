import type { OutputOf } from "../../../memory/index.ts";

export interface BinRow {
  readonly id: string;
  readonly type: string;
  readonly text: string;
  /** When it was deleted. */
  readonly at: string;
}

/** A kind of items that can be deleted, with how a page of them is read. */
export const BIN_PARTS = [
  {
    name: "episodes",
    title: "Episodes",
    operation: "list_deleted_episodes",
    read: (output: object): readonly BinRow[] =>
      (output as OutputOf<"list_deleted_episodes">).episodes.map((one) => ({
        id: one.id,
        type: one.episode_type,
        text: one.content,
        at: one.deleted_at ?? one.updated_at,
      })),
  },
  {
    name: "concepts",
    title: "Concepts",
    operation: "list_deleted_concepts",
    read: (output: object): readonly BinRow[] =>
      (output as OutputOf<"list_deleted_concepts">).concepts.map((one) => ({
        id: one.id,
        type: one.type,
        text: `${one.title}: ${one.summary}`,
        at: one.deleted_at ?? one.updated_at,
      })),
  },
] as const;

export type BinPart = (typeof BIN_PARTS)[number];
