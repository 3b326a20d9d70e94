/** Headings of the help, in order. */
export const ACTION_GROUPS = ["Go to", "Items", "Lists", "This screen", "Write", "Page"] as const;

/** Items that an action applies to: the selection, otherwise the item under the cursor. */
export interface Targets {
  readonly ids: readonly string[];
  /** All that the list's filters match, when that is what was chosen. */
  readonly matching?: Readonly<Record<string, unknown>> | undefined;
  readonly count: number;
}

export interface ActionOf<Context> {
  readonly id: string;
  readonly title: string;
  readonly about?: string;
  readonly group: (typeof ACTION_GROUPS)[number];
  /** As `KeyboardEvent.key` says them; several are pressed one after another: `g f`. */
  readonly keys?: readonly string[];
  readonly isWrite?: boolean;
  readonly isDestructive?: boolean;
  /** True if it can be done to these now; default always. */
  applies?(context: Context, targets: Targets): boolean;
  run(context: Context, targets: Targets): unknown;
}
