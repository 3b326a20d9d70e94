import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  type WriteFileOptions,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isMissingFile } from "../../shared/errors.ts";
import { randomIds } from "../../shared/ids.ts";

/** Contents of files by SHA-256. */
export class BlobStore {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** With `durable` the content is synced to the disk. */
  put(content: Buffer, { durable = false }: { readonly durable?: boolean } = {}): string {
    const hash = hashFile(content);
    const path = this.#pathOf(hash);
    if (existsSync(path)) {
      // Marks the content as used for `removeUnused`.
      const now = new Date();
      utimesSync(path, now, now);
      return hash;
    }
    const draft = `${path}.${randomIds.next("")}`;
    writeMakingFolder(draft, content, { mode: 0o600, flush: durable });
    renameSync(draft, path);
    return hash;
  }

  /** Throws ENOENT for an unknown hash. */
  get(hash: string): Buffer {
    return readFileSync(this.#pathOf(hash));
  }

  /** Removes contents that are neither in `used` nor younger than `olderThanMs`. */
  removeUnused(used: ReadonlySet<string>, olderThanMs: number): void {
    const limit = Date.now() - olderThanMs;
    for (const start of listNames(this.folder)) {
      for (const rest of listNames(join(this.folder, start))) {
        const path = join(this.folder, start, rest);
        if (!used.has(start + rest) && statSync(path).mtimeMs < limit) rmSync(path);
      }
    }
  }

  #pathOf(hash: string): string {
    return join(this.folder, hash.slice(0, 2), hash.slice(2));
  }
}

function writeMakingFolder(path: string, content: Buffer, options: WriteFileOptions): void {
  try {
    writeFileSync(path, content, options);
  } catch (error) {
    if (!isMissingFile(error)) throw error;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, content, options);
  }
}

export function hashFile(content: Buffer | string): string {
  return createHash("sha256").update(content).digest("hex");
}

function listNames(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
