import type { ConceptRow } from "../concepts/concept.queries.ts";
import { mergeConcepts } from "../concepts/merge-concepts.ts";
import type { WriteContext } from "../context/write-context.ts";
import { episodeId } from "../input/item-ids.ts";
import { replaceClaim } from "../learned/replace-claim.ts";
import { Wordings } from "../learned/wording.ts";
import { type Grown, growConcepts } from "./grow-concepts.ts";
import { nearConcepts } from "./near-concepts.ts";
import { nearEntities } from "./near-entities.ts";
import { type SaidTwice, saidTwice } from "./said-twice.ts";
import { undisputedStatements } from "./statements.ts";
import { isFirstTime } from "./tidied.ts";

/** An item with the text by which a person knows it. */
export interface Named {
  readonly id: string;
  readonly text: string;
}

export interface Tidied {
  readonly merged: readonly { readonly kept: Named; readonly merged: readonly Named[] }[];
  readonly grown: readonly Grown[];
  /** What may be the same; a person decides. */
  readonly offered: readonly {
    readonly kind: "episode" | "concept" | "entity";
    readonly items: readonly Named[];
  }[];
}

/** More at once nobody would look through. */
const MOST_OFFERED = 50;
const NOTE = "the same in other words";

/** Merges what is equal, lets concepts grow of what belongs together, and names what may be the same. */
export async function tidyUp(context: WriteContext): Promise<Tidied> {
  const wordings = new Wordings();
  const pairs = saidTwice(await undisputedStatements(context.tx), wordings);
  const groups = await nearConcepts(context.tx, wordings);
  const statements = await mergeStatements(context, pairs);
  const ofConcepts = await mergeEqualConcepts(context, groups);
  const named = await nearEntities(context.tx);
  const entities = named.map((items) => ({
    kind: "entity" as const,
    items: items.map(({ type, name }) => ({ id: `${type}:${name}`, text: name })),
  }));
  return {
    merged: [...statements.merged, ...ofConcepts.merged],
    grown: await growConcepts(context),
    offered: [...statements.offered, ...ofConcepts.offered, ...entities].slice(0, MOST_OFFERED),
  };
}

type Part = Pick<Tidied, "merged" | "offered">;

async function mergeStatements(context: WriteContext, pairs: readonly SaidTwice[]): Promise<Part> {
  const merged = new Map<number, { kept: Named; merged: Named[] }>();
  const offered: Tidied["offered"][number][] = [];
  for (const { later, earlier, isSure } of pairs) {
    const [kept, former] = [named(later), named(earlier)];
    if (!isSure) {
      offered.push({ kind: "episode", items: [kept, former] });
      continue;
    }
    if (!(await isFirstTime(context.tx, `${former.id} ${kept.id}`))) continue;
    await replaceClaim(context, { former: former.id, winner: kept.id, note: NOTE });
    const one = merged.get(later.number) ?? { kept, merged: [] };
    one.merged.push(former);
    merged.set(later.number, one);
  }
  return { merged: [...merged.values()], offered };
}

const named = ({ number, content }: SaidTwice["later"]): Named => ({
  id: episodeId(number),
  text: content,
});

async function mergeEqualConcepts(
  context: WriteContext,
  groups: Awaited<ReturnType<typeof nearConcepts>>,
): Promise<Part> {
  const merged: Tidied["merged"][number][] = [];
  const offered: Tidied["offered"][number][] = [];
  for (const { concepts, isSure } of groups) {
    const [target, ...sources] = concepts;
    const key = concepts.map(({ publicId }) => publicId).join(" ");
    if (!isSure) offered.push({ kind: "concept", items: concepts.map(titled) });
    else if (await isFirstTime(context.tx, key)) {
      await mergeConcepts(context, sources, { target, note: NOTE });
      const ids = sources.map(({ publicId }) => publicId);
      await context.emit({
        kind: "updated",
        subjectType: "concept",
        subjectId: target.publicId,
        payload: { op: "merge", from: ids, into: target.publicId, reason: NOTE },
      });
      merged.push({ kept: titled(target), merged: sources.map(titled) });
    }
  }
  return { merged, offered };
}

const titled = ({ publicId, title }: ConceptRow): Named => ({ id: publicId, text: title });
