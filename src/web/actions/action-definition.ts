/** Headings of the help, in order. */
export const ACTION_GROUPS = ["Go to", "Items", "Lists", "This screen", "Write", "Page"] as const;

/** Items that an action applies to: the selection, otherwise the item under the cursor. */
export interface Targets {
  readonly ids: readonly string[];
  /** Set if the user selected all items that match the list's filters. */
  readonly matching?: Readonly<Record<string, unknown>> | undefined;
  readonly count: number;
}

export interface ActionOf<Context> {
  readonly id: string;
  readonly title: string;
  readonly about?: string;
  readonly group: (typeof ACTION_GROUPS)[number];
  /** Values of `KeyboardEvent.key`; several form a sequence, such as `g f`. */
  readonly keys?: readonly string[];
  readonly isWrite?: boolean;
  readonly isDestructive?: boolean;
  /** True if the action is available for these items; default always. */
  applies?(context: Context, targets: Targets): boolean;
  run(context: Context, targets: Targets): unknown;
}
