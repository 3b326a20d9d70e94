/** `usage`: invalid command line. `interrupted`: Ctrl-C. */
export const EXIT = { ok: 0, failed: 1, usage: 2, interrupted: 130 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Abort reason of Ctrl-C. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";

  constructor() {
    super("Interrupted.");
  }
}

/** Ctrl-C aborts `controller`; a second one ends the process. */
export async function withInterrupt<T>(
  controller: AbortController,
  body: () => Promise<T>,
): Promise<T> {
  const onInterrupt = () => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort(new Interrupted());
  };
  process.on("SIGINT", onInterrupt);
  try {
    return await body();
  } finally {
    process.off("SIGINT", onInterrupt);
  }
}
