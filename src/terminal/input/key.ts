/** What a person did at the keyboard, whatever bytes the terminal sent for it. */
export type Key =
  | { readonly kind: "text"; readonly text: string }
  /** Pasted as one piece; line ends are `\n`. */
  | { readonly kind: "paste"; readonly text: string }
  | {
      readonly kind: "key";
      /** A letter (with ctrl or alt) or one of the named keys. */
      readonly name: string;
      readonly ctrl: boolean;
      readonly alt: boolean;
      readonly shift: boolean;
    };

export interface Modifiers {
  readonly ctrl?: boolean;
  readonly alt?: boolean;
  readonly shift?: boolean;
}

export function keyOf(name: string, modifiers: Modifiers = {}): Key {
  const { ctrl = false, alt = false, shift = false } = modifiers;
  return { kind: "key", name, ctrl, alt, shift };
}

/** `ctrl+alt+left`: modifiers in this order, for comparing with a binding. */
export function chordOf(key: Key): string {
  if (key.kind !== "key") return "";
  return `${key.ctrl ? "ctrl+" : ""}${key.alt ? "alt+" : ""}${key.shift ? "shift+" : ""}${key.name}`;
}
