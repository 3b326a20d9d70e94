import type { OutputOf } from "../../../memory/index.ts";
import type { Foresight, Writer } from "../../data/writer.ts";
import type { Choice, DecisionOptions } from "./decisions.tsx";

export type Contradiction = OutputOf<"contradictions">["contradictions"][number];

export function keyOfContradiction({ nearer, farther }: Contradiction): string {
  return `${nearer.id} / ${farther.id}`;
}

/** Id of the farther item in its own layer, which its name stands before: `ep:5` of `team/ep:5`. */
export function idThere({ layer, farther }: Contradiction): string {
  return farther.id.slice(layer.length + 1);
}

/** What a person can say to one of those that are listed. */
export function contradictionChoices(
  writer: Writer,
  listed: () => readonly Contradiction[],
): readonly Choice<Contradiction>[] {
  /** One decision settles all that the nearer item says otherwise, as far as they pass. */
  const settling = (
    { db, foreseen }: DecisionOptions,
    passes: (other: Contradiction) => boolean,
  ) => {
    const all = new Map<string, Foresight>(foreseen);
    for (const other of listed().filter(passes))
      all.set(keyOfContradiction(other), { isGone: true });
    return { db, foreseen: all };
  };
  return [
    {
      id: "promote-nearer",
      title: "Let the farther layer decide",
      key: "1",
      look: "primary",
      decide: ({ nearer: { id }, layer }, options) =>
        writer.write(
          "promote",
          { id, to: layer },
          {
            ...settling(options, (other) => other.nearer.id === id && other.layer === layer),
            done: ({ promoted_id: copy = id, conflicts = [] }) =>
              conflicts.length === 0
                ? `${id} is ${copy} now.`
                : `${id} is ${copy} now: somebody of ${layer} decides ${conflicts.join(", ")}.`,
          },
        ),
    },
    {
      id: "take-nearer-back",
      title: "Take this memory's back",
      key: "2",
      decide: ({ nearer: { id }, farther }, options) =>
        writer.write(
          "delete",
          { id },
          {
            ...settling(options, (other) => other.nearer.id === id),
            done: `${id} is deleted: ${farther.id} holds.`,
          },
        ),
    },
    {
      id: "both",
      title: "Leave both as they are",
      key: "b",
      decide: ({ nearer: { id }, farther }, options) =>
        writer.write(
          "unlabel",
          { id, key: "contradicts", value: farther.id },
          { ...options, done: `${id} and ${farther.id} stay as they are.` },
        ),
    },
  ];
}
