/** Exit codes of the process: success, failure, wrong usage, stopped by Ctrl-C. */
export const EXIT = { ok: 0, failed: 1, usage: 2, interrupted: 130 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
