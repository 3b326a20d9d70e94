/** Every scope of a snapshot, and whether an argument follows its name after a colon. */
export const SCOPE_NAMES = {
  pending: "never",
  conflicts: "never",
  labels: "never",
  stats: "never",
  events: "optional",
  bootstrap: "optional",
  entity: "required",
  label: "required",
  concept: "required",
  recent: "required",
  query: "required",
  topic: "required",
} as const;

export type ScopeName = keyof typeof SCOPE_NAMES;

export function isScopeName(text: string): text is ScopeName {
  return Object.hasOwn(SCOPE_NAMES, text);
}
