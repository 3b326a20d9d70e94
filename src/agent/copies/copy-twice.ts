import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  readSync,
  rmSync,
  symlinkSync,
  writeSync,
} from "node:fs";
import { chmod, copyFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EventLoopYielder } from "../../shared/async.ts";

/** The three places, absolute; the second and third are empty folders. */
export interface TwiceCopied {
  readonly from: string;
  readonly first: string;
  readonly second: string;
}

/** Read at once, and written from there; a larger one is copied by the system while others work. */
const SMALL_BYTES = 1024 * 1024;
const TOLD_EVERY = 64;
const PLAIN = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const NEW = constants.COPYFILE_EXCL;
/** What systems say where files share no blocks, or not these. */
const NOT_SHARED = ["ENOTSUP", "EOPNOTSUPP", "EXDEV", "EINVAL", "ENOTTY", "ENOSYS"];

/**
 * Files and links of a tree at two new places, both of the same bytes even while somebody writes them,
 * sharing blocks where the file system can. What is gone by then is left out. `onProgress` is told how many
 * of them are done.
 */
export async function copyTwice(
  place: TwiceCopied,
  files: readonly string[],
  onProgress?: (done: number) => void,
): Promise<void> {
  const copier = new Copier(place);
  const turn = new EventLoopYielder();
  let told = 0;
  for (const [index, path] of files.entries()) {
    const large = copier.copy(path);
    if (large !== undefined) await large;
    if (index + 1 - told >= TOLD_EVERY || index + 1 === files.length) {
      told = index + 1;
      onProgress?.(told);
    }
    await turn.yieldIfDue();
  }
}

class Copier {
  readonly #place: TwiceCopied;
  readonly #folders = new Set<string>();
  readonly #content = Buffer.allocUnsafe(SMALL_BYTES);
  readonly #umask = process.umask();
  /** Undefined until it was tried. */
  #sharesBlocks: boolean | undefined;

  constructor(place: TwiceCopied) {
    this.#place = place;
  }

  /** Undefined where it is done. */
  copy(path: string): Promise<void> | undefined {
    const from = join(this.#place.from, path);
    this.#makeFolder(dirname(path));
    const file = openPlain(from);
    if (file === "gone") return undefined;
    const [first, second] = [join(this.#place.first, path), join(this.#place.second, path)];
    if (file === "link") {
      const target = readlinkSync(from);
      for (const to of [first, second]) symlinkSync(target, to);
      return undefined;
    }
    try {
      const { size, mode } = fstatSync(file);
      if (size > 0 && this.#shareBlocks(from, [first, second], mode)) return undefined;
      const content = size < SMALL_BYTES ? readWhole(file, this.#content) : undefined;
      if (content === undefined) return copyLarge(from, [first, second], mode & 0o777);
      for (const to of [first, second]) this.#write(to, content, mode & 0o777);
      return undefined;
    } finally {
      closeSync(file);
    }
  }

  /** Whether it could. Where the first could not, no other is tried. */
  #shareBlocks(from: string, places: readonly string[], mode: number): boolean {
    if (this.#sharesBlocks === false) return false;
    const [first = "", second = ""] = places;
    const isShared = cloned(from, first) && cloned(first, second);
    this.#sharesBlocks ??= isShared;
    if (!isShared) for (const to of places) rmSync(to, { force: true });
    else if ((mode & 0o7000) !== 0) for (const to of places) chmodSync(to, mode & 0o777);
    return isShared;
  }

  #write(to: string, content: Uint8Array, mode: number): void {
    const file = openSync(to, "wx", mode);
    try {
      for (let at = 0; at < content.length; ) at += writeSync(file, content, at);
      if ((mode & this.#umask) !== 0) fchmodSync(file, mode);
    } finally {
      closeSync(file);
    }
  }

  #makeFolder(folder: string): void {
    if (this.#folders.has(folder)) return;
    for (const place of [this.#place.first, this.#place.second]) {
      mkdirSync(join(place, folder), { recursive: true });
    }
    this.#folders.add(folder);
  }
}

function openPlain(path: string): number | "link" | "gone" {
  try {
    return openSync(path, PLAIN);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ELOOP" || code === "EMLINK") return "link";
    if (code === "ENOENT" || code === "ENOTDIR") return "gone";
    throw error;
  }
}

/** Undefined where it has grown beyond what is held. */
function readWhole(file: number, into: Buffer): Buffer | undefined {
  let length = 0;
  for (;;) {
    const read = readSync(file, into, length, into.length - length, length);
    length += read;
    if (read === 0) return into.subarray(0, length);
    if (length === into.length) return undefined;
  }
}

async function copyLarge(from: string, places: readonly string[], mode: number): Promise<void> {
  const [first = "", second = ""] = places;
  await copyFile(from, first, NEW);
  await copyFile(first, second, NEW);
  for (const to of places) await chmod(to, mode);
}

function cloned(from: string, to: string): boolean {
  try {
    copyFileSync(from, to, constants.COPYFILE_FICLONE_FORCE | NEW);
    return true;
  } catch (error) {
    if (NOT_SHARED.includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}
