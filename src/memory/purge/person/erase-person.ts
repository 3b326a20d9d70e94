import { EventLoopYielder } from "../../../shared/async.ts";
import type { WriteContext } from "../../context/write-context.ts";
import { kindOfId } from "../../input/item-ids.ts";
import { forgetRecalled } from "../../recall-log/forget-recalls.ts";
import { forgetEntity } from "../forget-entities.ts";
import { purgeById } from "../purge-by-id.ts";
import { findTraces, type HeldItem } from "./find-traces.ts";
import {
  countAuthored,
  forgetAuthor,
  forgetQuestionsAbout,
  forgetRecallsOf,
  forgetRelationsOf,
} from "./forget-person.ts";
import { soughtPerson } from "./sought-person.ts";

export interface Erasure {
  /** Ids of everything that is purged. */
  readonly purged: readonly string[];
  readonly held: readonly HeldItem[];
  /** Number of recalls that the person asked for. */
  readonly recalls: number;
  /** Number of changes that named the person as author. */
  readonly changes: number;
  /** One sentence for each thing about the person that stays because a held item needs it. */
  readonly remains: readonly string[];
}

/**
 * Erases a person from one database: what they wrote, what mentions them, what they asked, and
 * their name.
 */
export async function erasePerson(
  context: WriteContext,
  asked: { readonly person?: string | undefined; readonly entity?: string | undefined },
): Promise<Erasure> {
  const { tx } = context;
  const sought = await soughtPerson(tx, asked);
  const { ids, held, sessions } = await findTraces(tx, sought);
  const authored = await countAuthored(context, sought.name);
  const remains: string[] = [];
  if (sought.entity !== undefined) await forgetRelationsOf(tx, sought.entity.id);
  const purged = await purgeAll(context, ids);
  await forgetRecalled(tx, purged);
  const recalls = await forgetRecallsOf(tx, sought.name, sessions);
  for (const name of [sought.name, sought.entity?.name]) {
    if (name !== undefined) await forgetQuestionsAbout(tx, name);
  }
  if (sought.entity !== undefined && !(await forgetEntity(tx, sought.entity.id))) {
    remains.push(`The entity ${asked.entity} stays: something that is held names it.`);
  }
  const keepsName = held.length > 0 && sought.name !== undefined;
  if (keepsName) {
    remains.push("The name stays at changes and decisions: something that is held was theirs.");
  } else await forgetAuthor(tx, sought.name, sessions);
  return { purged, held, recalls, changes: keepsName ? 0 : authored, remains };
}

/** Purges one after the other, skipping ids that went with an earlier one. */
async function purgeAll(context: WriteContext, ids: readonly string[]): Promise<string[]> {
  const purged = new Set<string>();
  const turn = new EventLoopYielder();
  for (const id of ids) {
    if (purged.has(id)) continue;
    for (const one of await purgeById(kindOfId(id))(context, id)) purged.add(one);
    await turn.yieldIfDue();
  }
  return [...purged];
}
