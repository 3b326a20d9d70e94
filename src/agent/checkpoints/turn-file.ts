import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { putAside } from "./open-turns.ts";
import { readTurns, type TurnRecord } from "./turn-record.ts";

const KEPT_TURNS = 50;

/** The ended turns of one thread. */
export class TurnFile {
  readonly path: string;
  readonly #tell: (message: string) => void;

  constructor(path: string, tell: (message: string) => void) {
    this.path = path;
    this.#tell = tell;
  }

  /** One that cannot be read is put aside, and that is told. */
  read(): TurnRecord[] {
    try {
      return readTurns(this.path);
    } catch (error) {
      this.#tell(putAside(this.path, error));
      return [];
    }
  }

  add(turn: TurnRecord): void {
    const earlier = this.read().filter(
      ({ undone, turnId }) => undone === undefined && turnId !== turn.turnId,
    );
    this.write([...earlier, turn].slice(-KEPT_TURNS));
  }

  write(turns: readonly TurnRecord[]): void {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    // Without waiting for the disk, as the contents that it names are kept.
    writeFileAtomic.sync(this.path, JSON.stringify(turns), { mode: 0o600, fsync: false });
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }
}
