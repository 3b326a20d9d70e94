import type { Tx } from "../../../database/index.ts";
import { type EntityRow, findEntity } from "../../entities/entity.queries.ts";
import { parseEntity } from "../../input/parse-entity.ts";

/** Who is to be forgotten: by the name under which they wrote, as what others wrote about, or both. */
export interface SoughtPerson {
  readonly name: string | undefined;
  /** What items name; undefined where none does or it was not asked for. */
  readonly entity: EntityRow | undefined;
}

/** Names under which sessions write that know of no other: whoever's token it was, said it. */
export const NAMELESS: ReadonlySet<string | null> = new Set([null, "", "user", "assistant"]);

export async function soughtPerson(
  tx: Tx,
  {
    person,
    entity,
  }: { readonly person?: string | undefined; readonly entity?: string | undefined },
): Promise<SoughtPerson> {
  return {
    name: person,
    entity: entity === undefined ? undefined : await findEntity(tx, parseEntity(entity)),
  };
}
