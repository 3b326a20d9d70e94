import type { Tx } from "../../../database/index.ts";
import { type EntityRow, findEntity } from "../../entities/entity.queries.ts";
import { parseEntity } from "../../input/parse-entity.ts";

/**
 * A person to be forgotten: the name under which they wrote, the entity that others wrote about, or
 * both.
 */
export interface SoughtPerson {
  readonly name: string | undefined;
  /** The entity that items mention; undefined if none does or none was asked for. */
  readonly entity: EntityRow | undefined;
}

/**
 * Authors of sessions without a name of their own; what they wrote belongs to the owner of the
 * token.
 */
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
