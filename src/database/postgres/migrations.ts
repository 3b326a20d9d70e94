import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stateConflict } from "../../shared/errors.ts";
import { packageRoot } from "../../shared/package.ts";

/** A script that changes the schema of a database. */
export interface Migration {
  readonly name: string;
  /**
   * What the script means for servers of a version that does not know it. `expand`: they keep working.
   * `contract`: they stop, and new servers do not need it, so it runs on request only. `together`: they stop,
   * and new servers need it.
   */
  readonly kind: "expand" | "contract" | "together";
  /** Loads the script's text when it is needed. */
  readonly sql: () => string;
}

/** The schema of a database: how many scripts have run, and how many a server must know. */
export interface SchemaVersion {
  readonly version: number;
  readonly needs: number;
}

const FOLDER = join("drizzle", "postgres");

/** The schema of 0.1, which 21 scripts made. The numbers of later schemas continue from there. */
const BASE = 21;

/** The scripts that this version of cairn knows, in the order in which they run. */
export class Migrations {
  readonly all: readonly Migration[];
  /** The schema that a new database gets. */
  readonly newest: number;
  /** The oldest schema that this version reads and writes. */
  readonly oldest: number;

  constructor(all: readonly Migration[]) {
    this.all = all;
    this.newest = BASE + all.length;
    // The first script only makes tables that BASE has, too.
    const last = all.findLastIndex(({ kind }) => kind !== "contract");
    this.oldest = last <= 0 ? BASE : BASE + last + 1;
  }

  static released(): Migrations {
    const text = readFileSync(join(packageRoot(), FOLDER, "scripts.json"), "utf8");
    return new Migrations((JSON.parse(text) as ListedScript[]).map(migrationOf));
  }

  /** Scripts that bring one schema to another one; 0 is an empty database. */
  between(from: number, to: number): readonly Migration[] {
    if (from === 0) return this.all.slice(0, to - BASE);
    if (from > BASE) return this.all.slice(from - BASE, to - BASE);
    return to > BASE ? [UPGRADE, ...this.all.slice(1, to - BASE)] : [];
  }

  /** The schema that a server must know once this one is reached. */
  needsOf(version: number): number {
    return BASE + this.between(0, version).findLastIndex(({ kind }) => kind !== "expand") + 1;
  }

  /** The version that can be reached from here by scripts of only these kinds. */
  reach(from: number, kinds: readonly Migration["kind"][]): number {
    const stop = this.all.findIndex(
      ({ kind }, place) =>
        BASE + place >= from && !kinds.includes(place === 0 ? UPGRADE.kind : kind),
    );
    return stop === -1 ? Math.max(from, this.newest) : BASE + stop;
  }

  serves({ version, needs }: SchemaVersion): boolean {
    return version >= this.oldest && !this.isBeyond({ version, needs });
  }

  isBeyond({ version, needs }: SchemaVersion): boolean {
    return version > this.newest && needs > this.newest;
  }

  /** Throws conflict for a schema that this version cannot read and write. */
  require(found: SchemaVersion): void {
    const reason = this.refusal(found);
    if (reason !== undefined) throw stateConflict(reason);
  }

  /** Why this version cannot read and write a schema; undefined if it can. */
  refusal({ version, needs }: SchemaVersion): string | undefined {
    if (this.serves({ version, needs })) return undefined;
    if (this.isBeyond({ version, needs })) {
      return `The database was written by a newer cairn (schema ${version}, this one knows ${this.newest}). Update cairn.`;
    }
    if (version < BASE) {
      return `The database was written by a version before 0.1 (schema ${version}). Export it with that version, and import the file.`;
    }
    return `The database has the schema ${version}, and this cairn reads and writes ${this.oldest} and newer. Reading never changes it: run \`cairn db migrate\`, which \`--dry-run\` shows beforehand.`;
  }
}

/** A bare name is a script from the time when every server had to know all scripts. */
export type ListedScript = string | { readonly name: string; readonly kind: Migration["kind"] };

function migrationOf(listed: ListedScript): Migration {
  const { name, kind } =
    typeof listed === "string" ? { name: listed, kind: "together" as const } : listed;
  return {
    name,
    kind,
    sql: () => readFileSync(join(packageRoot(), FOLDER, `${name}.sql`), "utf8"),
  };
}

/** Servers of 0.1 stop without the tables that it drops, so it runs on request only. */
const UPGRADE = migrationOf({ name: "upgrade-0.1", kind: "contract" });
