import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe } from "vitest";
import { createLeaseFolders, type Kind, type LeaseFolders } from "./lease-folders.ts";
import { POSTGRES_IS_MISSING, postgresPrograms } from "./postgres-programs.ts";

export interface PostgresDatabaseHandle extends Disposable {
  /** Value for CAIRN_DATABASE. */
  readonly url: string;
  /** Disconnects remaining clients and drops the database. */
  [Symbol.dispose](): void;
}

const LONGEST_WAIT_MS = 180_000;
const LOOK_AGAIN_MS = 10;

/** `describe`, or a skipped one with the reason in its title if PostgreSQL is missing. */
export const describeOnPostgres: (title: string, tests: () => void) => void =
  postgresPrograms() === undefined
    ? (title, tests) => describe.skip(`${title} (${POSTGRES_IS_MISSING})`, tests)
    : describe;

/** Takes an empty database. With `vectors: false` it rejects the pgvector extension. */
export function takePostgresDatabase({ vectors = true } = {}): PostgresDatabaseHandle {
  const desk = createLeaseFolders(process.env.TEST_POSTGRES_DESK ?? "");
  const name = takeSpare(desk, vectors ? "with_vectors" : "without_vectors");
  const file = join(desk.taken, name);
  return {
    url: readFileSync(file, "utf8"),
    [Symbol.dispose]() {
      if (existsSync(file)) renameSync(file, join(desk.done, name));
    },
  };
}

/** The first call waits for the server to start. */
function takeSpare(desk: LeaseFolders, kind: Kind): string {
  const deadline = performance.now() + LONGEST_WAIT_MS;
  const asleep = new Int32Array(new SharedArrayBuffer(4));
  writeFileSync(join(desk.taken, `asked-${process.pid}`), "");
  for (;;) {
    for (const name of readdirSync(desk.spares[kind])) {
      if (isMoved(join(desk.spares[kind], name), join(desk.taken, name))) return name;
    }
    if (existsSync(desk.failure)) throw new Error(readFileSync(desk.failure, "utf8"));
    if (performance.now() > deadline) throw new Error("No database of PostgreSQL came in time.");
    Atomics.wait(asleep, 0, 0, LOOK_AGAIN_MS);
  }
}

function isMoved(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}
