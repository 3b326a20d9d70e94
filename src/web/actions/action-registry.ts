import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";

const NOTHING: Targets = { ids: [], count: 0 };

export type Overlay =
  | { readonly kind: "palette" | "help" | "as-of" }
  | { readonly kind: "label" | "topic"; readonly targets: Targets }
  | ({ readonly kind: "confirm"; decide(isConfirmed: boolean): void } & Confirmation)
  | { readonly kind: "write"; readonly form: string; readonly ids: readonly string[] };

export interface Confirmation {
  readonly title: string;
  readonly text: string;
  /** Label of the confirm button, such as "Delete". */
  readonly verb: string;
  readonly isDestructive?: boolean;
}

interface Writable {
  readonly session: { readonly canWrite: boolean };
}

/** Registry of all actions, from which buttons, palette, key bindings and help are built. */
export class ActionRegistry<Context extends Writable> {
  readonly ofScreen: Signal<readonly ActionOf<Context>[]> = signal([]);
  readonly targets: Signal<Targets> = signal(NOTHING);
  readonly overlay: Signal<Overlay | undefined> = signal(undefined);
  readonly all: ReadonlySignal<readonly ActionOf<Context>[]>;
  /** Text typed since a search was requested whose field has not loaded yet. */
  typedSearch: string | undefined;

  constructor(everywhere: readonly ActionOf<Context>[]) {
    this.all = computed(() => [...this.ofScreen.value, ...everywhere]);
  }

  /** Resolves to false if the dialog is closed without a choice. */
  confirm(confirmation: Confirmation): Promise<boolean> {
    return new Promise((decide) => {
      this.overlay.value = { kind: "confirm", ...confirmation, decide };
    });
  }

  find(id: string): ActionOf<Context> | undefined {
    return this.all.value.find((action) => action.id === id);
  }

  possible(context: Context, targets: Targets = this.targets.value): ActionOf<Context>[] {
    return this.all.value.filter((action) => this.isPossible(action, context, targets));
  }

  isPossible(action: ActionOf<Context>, context: Context, targets = this.targets.value): boolean {
    if (action.isWrite === true && !context.session.canWrite) return false;
    return action.applies?.(context, targets) ?? true;
  }

  run(action: ActionOf<Context>, context: Context, targets = this.targets.value): void {
    if (this.isPossible(action, context, targets)) action.run(context, targets);
  }
}

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
