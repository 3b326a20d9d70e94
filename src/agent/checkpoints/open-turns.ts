import { mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { isMissingFile, messageOf } from "../../shared/errors.ts";
import { listFolder } from "../../shared/files.ts";
import { processIdentity } from "../../shared/process-lock.ts";
import { type OpenTurn, openTurn } from "./turn-record.ts";

/**
 * The turns of a project that are going on, each in a file of its own from before its first change,
 * so that a killed process leaves what is needed to take its turn back.
 */
export class OpenTurns {
  readonly #folder: string;
  readonly #tell: (message: string) => void;
  /** Turns of this process. */
  readonly #active = new Set<string>();

  constructor(folder: string, tell: (message: string) => void) {
    this.#folder = folder;
    this.#tell = tell;
  }

  write(turn: OpenTurn): void {
    this.#active.add(turn.turnId);
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    writeFileAtomic.sync(this.#pathOf(turn), JSON.stringify(turn), { mode: 0o600, fsync: true });
  }

  remove(turn: Pick<OpenTurn, "turnId" | "threadId">): void {
    this.#active.delete(turn.turnId);
    rmSync(this.#pathOf(turn), { force: true });
  }

  cutOff(): readonly OpenTurn[] {
    return this.all().filter(
      ({ turnId, owner }) =>
        !this.#active.has(turnId) &&
        (owner.pid === process.pid || processIdentity(owner.pid) !== owner.identity),
    );
  }

  all(): readonly OpenTurn[] {
    return listFolder(this.#folder)
      .filter((name) => name.endsWith(".json"))
      .flatMap((name) => this.#read(join(this.#folder, name)) ?? []);
  }

  #read(path: string): OpenTurn | undefined {
    try {
      return openTurn.parse(JSON.parse(readFileSync(path, "utf8")));
    } catch (error) {
      // Another process may have ended its turn in this moment.
      if (isMissingFile(error)) return undefined;
      this.#tell(putAside(path, error));
      return undefined;
    }
  }

  #pathOf({ threadId }: Pick<OpenTurn, "threadId">): string {
    return join(this.#folder, `${threadId}.json`);
  }
}

export function putAside(path: string, error: unknown): string {
  const kept = join(dirname(path), "..", "broken", `${Date.now()}-${path.split("/").at(-1)}`);
  mkdirSync(dirname(kept), { recursive: true, mode: 0o700 });
  renameSync(path, kept);
  const why = messageOf(error).split("\n", 1)[0] ?? "";
  return (
    `The record of what was changed cannot be read (${why}): what it names cannot be taken back ` +
    `with /undo. It is kept as ${kept}.`
  );
}
