import { z } from "zod";
import { loadEpisodes } from "../episodes/episode.queries.ts";
import type { EpisodeRecord } from "../episodes/episode.schema.ts";
import { parseNumberedId } from "../input/item-ids.ts";
import { labelText } from "../input/parse-labels.ts";
import { CONTRADICTS } from "../labels/contradicts-label.ts";
import { addLabels } from "../labels/label.queries.ts";
import { isHeld } from "../learned/find-contradicted.ts";
import { defineOperation } from "../operations/define-operation.ts";
import { leftAtThat } from "../promotion/claim-events.ts";
import { PROMOTED } from "../promotion/promoted-item.ts";

/** Whether it is labelled, was promoted to that layer, or somebody left it at that. */
export function isSettled(
  { labels }: EpisodeRecord,
  left: ReadonlySet<string | null> | undefined,
  { layer, other }: { readonly layer: string; readonly other: string },
): boolean {
  const against = `${layer}/${other}`;
  const isNamed = labels.some(
    ({ key, value }) =>
      (key === CONTRADICTS && value === against) || (key === PROMOTED && value === layer),
  );
  return isNamed || left?.has(against) === true || left?.has(null) === true;
}

/**
 * Adds the label `contradicts` to an episode, unless it is settled or holds no more. That is looked at in the transaction that adds it, since another server may
 * sweep the same database. It has no name for callers: in the log it is a `label`.
 */
export const labelContradiction = defineOperation({
  name: "label",
  summary: "Label an episode with what it contradicts in a farther layer",
  kind: "write",
  input: z.strictObject({
    id: z.string(),
    layer: z.string(),
    other: z.string().describe("Id of the episode there."),
  }),
  output: z.object({ added: z.boolean() }),
  async run({ tx, emit }, { id, layer, other }) {
    const label = { key: CONTRADICTS, value: `${layer}/${other}` };
    const number = parseNumberedId(id, "episode", "id");
    const [episode] = await loadEpisodes(tx, [number]);
    if (episode === undefined || !isHeld(episode)) return { added: false };
    const left = (await leftAtThat(tx, [id])).get(id);
    if (isSettled(episode, left, { layer, other })) return { added: false };
    await addLabels(tx, { type: "episode", number }, [label]);
    await emit({
      kind: "labeled",
      subjectType: "episode",
      subjectId: id,
      payload: { ...label },
      about: [labelText(label)],
    });
    return { added: true };
  },
});
