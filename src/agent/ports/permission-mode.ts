/** From the strictest to the least strict. */
export const PERMISSION_MODES = ["plan", "ask", "edits", "auto"] as const;

/**
 * `plan`: reads only. `ask`: edits and commands ask. `edits`: edits in the project do not ask.
 * `auto`: whatever stays in the project and can be undone does not ask.
 */
export type PermissionMode = (typeof PERMISSION_MODES)[number];
