/**
 * Form in which reasoning effort is requested.
 * - `budget`: a token count; these models reject levels;
 * - `adaptive`: the model decides, guided by a level; `off`: whether it can be disabled;
 * - `levels`: named levels; `off` is the level for no reasoning;
 * - `none`: not sent, since the service rejects every form.
 */
export type EffortForm =
  | { readonly form: "budget"; readonly minTokens?: number; readonly maxTokens?: number }
  | { readonly form: "adaptive"; readonly off: "disabled" | "low" }
  | { readonly form: "levels"; readonly off: "none" | "minimal" | "low" }
  | { readonly form: "none" };

export const LEVELS_WITH_NONE: EffortForm = { form: "levels", off: "none" };
export const LEVELS_FROM_LOW: EffortForm = { form: "levels", off: "low" };
export const NO_EFFORT: EffortForm = { form: "none" };
