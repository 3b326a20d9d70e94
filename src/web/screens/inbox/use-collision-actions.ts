import { useMemo, useRef } from "preact/hooks";
import type { Action } from "../../actions/action.ts";
import { useScreenActions } from "../../components/use-screen-actions.ts";
import type { Fact } from "./fact-card.tsx";
import type { FactPair } from "./pair-of-facts.ts";

interface PairInHand {
  readonly pair: FactPair | undefined;
  /** The same functions as long as they mean the same. */
  pass(pair: FactPair): void;
  settle(pair: FactPair, ops: readonly object[], done: string): void;
}

/** What a person can say to two facts about the same. */
interface Verdict {
  readonly id: string;
  readonly title: string;
  readonly key: string;
  readonly told: string;
  opsFor(pair: FactPair): readonly object[];
}

const VERDICTS: readonly Verdict[] = [
  {
    id: "keep-1",
    title: "Only 1 holds",
    key: "1",
    told: "The second fact is history.",
    opsFor: ([a, b]) => [supersede(b, a)],
  },
  {
    id: "keep-2",
    title: "Only 2 holds",
    key: "2",
    told: "The first fact is history.",
    opsFor: ([a, b]) => [supersede(a, b)],
  },
  {
    id: "both",
    title: "Both hold",
    key: "b",
    told: "Both hold.",
    opsFor: (pair) => [dispute(pair), { op: "dismiss", id: "$it", note: "Both hold." }],
  },
  {
    id: "contradiction",
    title: "They contradict each other",
    key: "c",
    told: "Opened a conflict.",
    opsFor: (pair) => [dispute(pair)],
  },
];

export function useCollisionActions({ pair, pass, settle }: PairInHand): void {
  const state = useRef({ pair });
  state.current = { pair };
  const actions = useMemo((): readonly Action[] => {
    const applies = () => state.current.pair !== undefined;
    const shared = { group: "This screen", applies } as const;
    const withPair = (act: (present: FactPair) => void) => () => {
      if (state.current.pair !== undefined) act(state.current.pair);
    };
    return [
      ...VERDICTS.map(
        ({ id, title, key, told, opsFor }): Action => ({
          ...shared,
          id,
          title,
          keys: [key],
          isWrite: true,
          run: withPair((present) => settle(present, opsFor(present), told)),
        }),
      ),
      { ...shared, id: "skip", title: "Skip", keys: ["s"], run: withPair(pass) },
    ];
  }, [pass, settle]);
  useScreenActions(actions);
}

function supersede(old: Fact, fresh: Fact) {
  return { op: "supersede", old: old.id, new: fresh.id };
}

function dispute([a, b]: FactPair) {
  return { op: "conflict", fact_a: a.id, fact_b: b.id, as: "it" };
}
