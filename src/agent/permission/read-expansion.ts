import { isPlainObject } from "../../shared/json.ts";
import { CHANGES_PROGRAMS, isLoaderVariable, MEANS_TWO_THINGS } from "./command-reading.ts";
import { rawText } from "./word-text.ts";

export type ExpansionEffect =
  /** It may set variables, or run what a variable holds. */
  { readonly assigns: true } | { readonly problem: string };

/** These only tell of a variable: `${x:-y}`, `${x%y}`, `${x^}`. All others set it, or work out a number. */
const TELLING = new Set(["Default", "Remove", "Replace", "CaseModification"]);
const SETTING = new Set(["=", ":="]);

/** Undefined: the node is no expansion, or one that only stands for a text. */
export function expansionEffect(node: Record<string, unknown>): ExpansionEffect | undefined {
  if (node.type === "ArithmeticExpansion") return ofArithmetic(rawText(node));
  if (node.type !== "ParameterExpansion") return undefined;
  const { operation, parameter } = node;
  const named = typeof parameter === "string" ? parameter : "";
  // `${ command; }` runs it, in shells that know it.
  if (!/^([A-Za-z_]\w*|\d+|[@*#?$!-])$/.test(named)) return { problem: MEANS_TWO_THINGS };
  const isTelling =
    node.prefix !== "!" &&
    node.index === undefined &&
    (operation === undefined || (isPlainObject(operation) && isTelled(operation)));
  if (isTelling) return undefined;
  return isLoaderVariable(named) ? { problem: CHANGES_PROGRAMS } : { assigns: true };
}

function isTelled({ type, operator }: Record<string, unknown>): boolean {
  return TELLING.has(String(type)) && !SETTING.has(String(operator));
}

/** `$((x = 1))` sets a variable, and what a variable holds is worked out in turn, commands in it too. */
function ofArithmetic(text: string): ExpansionEffect | undefined {
  const names = text.match(/[A-Za-z_]\w*/g) ?? [];
  // No shell that is known runs it, but what looks like words may be a subshell to one that is not.
  if (/[A-Za-z_]\s+-?[A-Za-z_/]/.test(text))
    return { problem: "its arithmetic looks like a command" };
  if (names.some(isLoaderVariable)) return { problem: CHANGES_PROGRAMS };
  return names.length > 0 || /[$`]/.test(text.slice(1)) ? { assigns: true } : undefined;
}
