import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../components/action-button.tsx";
import { Button } from "../../components/controls.tsx";
import { useScreenActions } from "../../components/use-screen-actions.ts";
import type { OptimisticChange } from "../../data/writer.ts";
import { usePage } from "../../page.ts";

export interface Choice<Item> {
  readonly id: string;
  readonly title: string;
  readonly key: string;
  readonly look?: "primary";
  readonly isInItem?: boolean;
  /** True if the choice is available for the item; default: always. */
  applies?(item: Item): boolean;
  /** Writes the decision. Resolves to undefined if the server rejected it. */
  decide(item: Item, options: DecisionOptions): Promise<unknown>;
}

export interface DecisionOptions {
  readonly db: string;
  readonly optimistic: ReadonlyMap<string, OptimisticChange>;
}

interface DecisionsProps<Item> {
  readonly items: readonly Item[];
  /** Number of pending items; undefined if unknown, since one decision may settle several. */
  readonly total: number | undefined;
  /** Number of pending items that this one counts for; default 1. */
  amountOf?(item: Item): number;
  keyOf(item: Item): string;
  /** Id of the item to show first. */
  readonly wanted?: string | undefined;
  readonly choices: readonly Choice<Item>[];
  label(item: Item): string;
  readonly nothing: string;
  children(item: Item): ComponentChildren;
}

/** Shows pending items one at a time, with a key per choice, skip, undo and the remaining count. */
export function Decisions<Item>(props: DecisionsProps<Item>) {
  const { items, total, amountOf = () => 1, keyOf, wanted, choices, label, nothing } = props;
  const { router, writer } = usePage();
  const { db } = router.location.value;
  const [skipped, setSkipped] = useState<readonly string[]>([]);
  const [decided, setDecided] = useState(0);
  const optimistic = writer.optimistic.value;
  const isOpen = (item: Item) => optimistic.get(keyOf(item))?.isRemoved !== true;
  const open = items.filter(isOpen);
  const removed = items
    .filter((item) => !isOpen(item))
    .reduce((sum, one) => sum + amountOf(one), 0);
  const waiting = open.filter((item) => !skipped.includes(keyOf(item)));
  const item = waiting.find((one) => keyOf(one) === wanted) ?? waiting[0];
  const appliesTo = (choice?: Choice<Item>) => () =>
    item !== undefined && choice?.applies?.(item) !== false;
  const decide = async (choice: Choice<Item>) => {
    if (item === undefined) return;
    const amount = amountOf(item);
    setDecided((count) => count + amount);
    const removal = new Map<string, OptimisticChange>([[keyOf(item), { isRemoved: true }]]);
    const result = await choice.decide(item, { db, optimistic: removal });
    if (result === undefined) setDecided((count) => count - amount);
  };
  useScreenActions([
    ...choices.map(
      (choice): Action => ({
        group: "This screen",
        applies: appliesTo(choice),
        id: choice.id,
        title: choice.title,
        keys: [choice.key],
        isWrite: true,
        run: () => void decide(choice),
      }),
    ),
    {
      group: "This screen",
      applies: appliesTo(),
      id: "skip",
      title: "Skip",
      keys: ["s"],
      run: () => item !== undefined && setSkipped([...skipped, keyOf(item)]),
    },
  ]);
  if (item === undefined) {
    return <NothingOpen skipped={skipped.length} nothing={nothing} onBack={() => setSkipped([])} />;
  }
  return (
    <section class="decision" aria-label={label(item)}>
      {props.children(item)}
      <div class="item-actions">
        {choices
          .filter(({ isInItem }) => isInItem !== true)
          .map(({ id, look }) => (
            <ActionButton
              key={id}
              id={id}
              class={look === undefined ? "button" : "button primary"}
            />
          ))}
        <ActionButton id="skip" />
        <ActionButton id="undo" class="button quiet" />
      </div>
      {total !== undefined && <Progress done={decided} left={Math.max(0, total - removed)} />}
    </section>
  );
}

interface NothingOpenProps {
  readonly skipped: number;
  readonly nothing: string;
  onBack(): void;
}

function NothingOpen({ skipped, nothing, onBack }: NothingOpenProps) {
  return (
    <div class="empty">
      <p>{skipped > 0 ? `${skipped} skipped. No other items.` : nothing}</p>
      {skipped > 0 && <Button onClick={onBack}>Review skipped items</Button>}
    </div>
  );
}

function Progress({ done, left }: { readonly done: number; readonly left: number }) {
  return (
    <p class="progress">
      <progress max={done + left} value={done} aria-label="Done" />
      <span class="quiet">
        {done} done, {left} left
      </span>
    </p>
  );
}
