/**
 * How a model is told how much to think.
 * - `budget`: a number of tokens, from least to most; models of that kind refuse levels;
 * - `adaptive`: the model decides, a level guides it; `off` says whether thinking can be switched
 *   off, or only kept low;
 * - `levels`: the named levels; `off` is the level that stands for no thinking;
 * - `none`: nothing is said, since the service refuses every form.
 */
export type EffortForm =
  | { readonly form: "budget"; readonly least?: number; readonly most?: number }
  | { readonly form: "adaptive"; readonly off: "disabled" | "low" }
  | { readonly form: "levels"; readonly off: "none" | "minimal" | "low" }
  | { readonly form: "none" };

export const LEVELS_WITH_NONE: EffortForm = { form: "levels", off: "none" };
export const LEVELS_FROM_LOW: EffortForm = { form: "levels", off: "low" };
export const NO_EFFORT: EffortForm = { form: "none" };
