import { closeSync, openSync, readFileSync, writeSync } from "node:fs";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The only reader of `process.env`; other code receives its variables. */
export function processEnvironment(): Environment {
  return { ...process.env };
}

/** Index of the environment's start address, relative to the state field. */
const ENVIRONMENT_START_FIELD = 47;

/**
 * Removes variables from this process's environment so that children do not inherit them; with
 * /proc, also erases their values from `/proc/PID/environ`. Returns false if the process cannot
 * write to its own memory, so that the values remain readable.
 */
export function hideEnvironment(names: readonly string[]): boolean {
  for (const name of names) delete process.env[name];
  if (process.platform !== "linux" || names.length === 0) return true;
  try {
    clearEntry(new Set(names));
    return !entries(readFileSync("/proc/self/environ")).some(
      ({ name, length }) => names.includes(name) && length > 0,
    );
  } catch {
    return false;
  }
}

function clearEntry(names: ReadonlySet<string>): void {
  const stat = readFileSync("/proc/self/stat", "utf8");
  const start = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[ENVIRONMENT_START_FIELD]);
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
