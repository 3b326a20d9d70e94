import { closeSync, openSync, readFileSync, writeSync } from "node:fs";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The one place that reads `process.env`; all other code is handed the variables that it needs. */
export function processEnvironment(): Environment {
  return { ...process.env };
}

/** Position of the address at which the environment begins, counted from the state field. */
const ENVIRONMENT_START = 47;

/**
 * Removes variables from this process's environment: children do not inherit them, and on systems
 * with
 * /proc their values are erased from `/proc/PID/environ`. Read them before. Returns false if a
 * process cannot write to its own memory, so that the values remain readable.
 */
export function hideEnvironment(names: readonly string[]): boolean {
  for (const name of names) delete process.env[name];
  if (process.platform !== "linux" || names.length === 0) return true;
  try {
    wipe(new Set(names));
    return !entries(readFileSync("/proc/self/environ")).some(
      ({ name, length }) => names.includes(name) && length > 0,
    );
  } catch {
    return false;
  }
}

function wipe(names: ReadonlySet<string>): void {
  const stat = readFileSync("/proc/self/stat", "utf8");
  const start = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[ENVIRONMENT_START]);
  if (!Number.isSafeInteger(start) || start <= 0) return;
  const memory = openSync("/proc/self/mem", "r+");
  try {
    for (const { name, at, length } of entries(readFileSync("/proc/self/environ"))) {
      if (names.has(name)) writeSync(memory, Buffer.alloc(length), 0, length, start + at);
    }
  } finally {
    closeSync(memory);
  }
}

interface Entry {
  readonly name: string;
  readonly at: number;
  readonly length: number;
}

function entries(environ: Buffer): readonly Entry[] {
  const found: Entry[] = [];
  for (let from = 0; from < environ.length; ) {
    const end = environ.indexOf(0, from);
    const until = end === -1 ? environ.length : end;
    const equals = environ.indexOf("=", from);
    if (equals !== -1 && equals < until) {
      const name = environ.toString("utf8", from, equals);
      found.push({ name, at: equals + 1, length: until - equals - 1 });
    }
    from = until + 1;
  }
  return found;
}
