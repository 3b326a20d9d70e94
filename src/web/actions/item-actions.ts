import { copyText } from "../components/copy-button.tsx";
import { getFailure } from "../data/request-failed.ts";
import type { Page } from "../page.ts";
import type { Action, Targets } from "./action.ts";

const count = (targets: Targets) =>
  targets.count === 1 ? (targets.ids[0] ?? "1 item") : `${targets.count} items`;

/** True for episode ids; facts and entities have prefixed ids such as `fact:3`. */
export function isEpisode(id: string): boolean {
  return /^ep:\d+$/.test(id);
}

export function isConcept(id: string): boolean {
  return !id.includes(":");
}

const changeable = (id: string) => isEpisode(id) || isConcept(id);

function everyTarget(test: (id: string) => boolean) {
  return (_page: Page, { ids, matching }: Targets) =>
    matching !== undefined || (ids.length > 0 && ids.every(test));
}

/** Actions on items: one operation for one item, one changeset for several. */
export const ITEM_ACTIONS: readonly Action[] = [
  {
    id: "open",
    title: "Open",
    group: "Items",
    keys: ["o"],
    applies: (_page, { ids }) => ids.length === 1,
    run: ({ router }, { ids }) => router.go(router.href({ screen: "item", id: ids[0] })),
  },
  {
    id: "reviewed",
    title: "Mark as reviewed",
    group: "Items",
    keys: ["r"],
    isWrite: true,
    applies: everyTarget(isEpisode),
    run: (page, targets) =>
      change(page, targets, {
        op: (id) => ({ op: "processed", ids: id }),
        matching: { action: "processed" },
        done: `Marked ${count(targets)} as reviewed.`,
        optimistic: { processed: true },
      }),
  },
  {
    id: "label",
    title: "Add label",
    group: "Items",
    keys: ["l"],
    isWrite: true,
    applies: everyTarget(changeable),
    run: ({ actions }, targets) => {
      actions.overlay.value = { kind: "label", targets };
    },
  },
  {
    id: "topic",
    title: "Set topic",
    group: "Items",
    keys: ["t"],
    isWrite: true,
    applies: everyTarget(changeable),
    run: ({ actions }, targets) => {
      actions.overlay.value = { kind: "topic", targets };
    },
  },
  {
    id: "delete",
    title: "Delete",
    group: "Items",
    keys: ["#", "Delete"],
    isWrite: true,
    isDestructive: true,
    applies: everyTarget(changeable),
    run: (page, targets) =>
      change(page, targets, {
        op: (id) => ({ op: "delete", id }),
        matching: { action: "delete" },
        done: `Deleted ${count(targets)}.`,
        optimistic: { isRemoved: true },
      }),
  },
  {
    id: "copy-id",
    title: "Copy ID",
    group: "Items",
    keys: ["y"],
    applies: (_page, { ids }) => ids.length > 0,
    run: ({ toasts }, { ids }) => copyText(toasts, ids.join(" "), ids.join(" ")),
  },
  {
    id: "show-in-map",
    title: "Show in graph",
    group: "Items",
    applies: (_page, { ids }) => ids.length === 1 && !/^(conflict|change):/.test(ids[0] ?? ""),
    run: ({ router }, { ids }) =>
      router.go(router.href({ screen: "map", query: { center: ids[0] ?? "" } })),
  },
];

const TITLES = {
  processed: "Mark as reviewed",
  delete: "Delete",
  label: "Label",
  topic: "Set topic",
} as const;

export interface Change {
  op(id: string): Readonly<Record<string, unknown>>;
  readonly matching: {
    readonly action: "processed" | "delete" | "label" | "topic";
    readonly value?: string;
  };
  readonly done: string;
  readonly optimistic?: { readonly isRemoved?: boolean; readonly processed?: boolean };
}

/**
 * Applies a change to all targets atomically: one op per item, or one operation for all matches.
 */
export async function change(page: Page, targets: Targets, what: Change): Promise<void> {
  const { ids, matching } = targets;
  const { db } = page.router.location.peek();
  if (matching !== undefined) return changeMatching(page, matching, what);
  const { op, done, optimistic } = what;
  await page.writer.write(
    "apply",
    { changeset: JSON.stringify(ids.map(op)) },
    {
      db,
      done,
      ...(optimistic && { optimistic: new Map(ids.map((id) => [id, optimistic])) }),
    },
  );
}

/** Counts the matching items first; the write fails if their number has changed since. */
async function changeMatching(
  page: Page,
  matching: Readonly<Record<string, unknown>>,
  { matching: action }: Change,
): Promise<void> {
  const { db } = page.router.location.peek();
  const { sort: _sort, ...filter } = matching;
  const input = { ...filter, ...action };
  try {
    const { output } = await page.client.call(
      "change_matching",
      { ...input, dry_run: true },
      { db },
    );
    const { count } = output;
    const items = `${count.toLocaleString("en")} ${count === 1 ? "item" : "items"}`;
    const verb = TITLES[action.action];
    const isConfirmed = await page.actions.confirm({
      title: `${verb}: ${items}?`,
      text: "This applies to every item that matches the filters. You can undo it.",
      verb,
    });
    if (!isConfirmed) return;
    await page.writer.write(
      "change_matching",
      { ...input, expected: count },
      { db, done: `Changed ${items}.` },
    );
  } catch (error) {
    page.toasts.showError(getFailure(error).message);
  }
}
