import { randomBytes } from "node:crypto";
import { constants, existsSync, type Stats } from "node:fs";
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  readlink,
  realpath,
  rename,
  rm,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { CairnError, isMissingFile } from "../../shared/errors.ts";

const FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const FILE_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | (constants.O_NONBLOCK ?? 0);
const CREATE_FLAGS =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** An open folder whose entries are reached through its handle, not by its name. */
export interface PinnedFolder {
  /** Path of an entry through the handle, if the system supports it. */
  at(name: string): string;
  close(): Promise<void>;
}

/** Opens a folder by its real path. Throws forbidden if it is elsewhere. */
export async function pinFolder(realFolder: string): Promise<PinnedFolder> {
  const handle = await open(realFolder, FOLDER_FLAGS).catch(
    async (error: NodeJS.ErrnoException) => {
      // Linux reports ENOTDIR for a link that must not be followed, as for a file.
      const isLink = (await lstat(realFolder).catch(() => undefined))?.isSymbolicLink() === true;
      throw isLink || error.code === "ELOOP" ? folderMovedError(realFolder) : error;
    },
  );
  try {
    await requireAt(handle, realFolder);
  } catch (error) {
    await handle.close();
    throw error;
  }
  const through = descriptorPath(handle);
  return {
    at: (name) => join(through ?? realFolder, name),
    close: () => handle.close(),
  };
}

export async function createAndPinFolder(realFolder: string): Promise<PinnedFolder> {
  try {
    return await pinFolder(realFolder);
  } catch (error) {
    if (!isMissingFile(error)) throw error;
  }
  const parent = dirname(realFolder);
  if (parent === realFolder) throw folderMovedError(realFolder);
  const above = await createAndPinFolder(parent);
  try {
    await mkdir(above.at(basename(realFolder))).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await above.close();
  }
  return pinFolder(realFolder);
}

/** Opens a file for reading by its real path. Throws as `pinFolder` does. */
export async function openPinnedFile(realFile: string): Promise<FileHandle> {
  const folder = await pinFolder(dirname(realFile));
  try {
    return await open(folder.at(basename(realFile)), FILE_FLAGS);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "ELOOP" ? folderMovedError(realFile) : error;
  } finally {
    await folder.close();
  }
}

/** Replaces a file in one step, keeping its mode; a symbolic link is not followed. */
export async function replacePinnedFile(
  realFile: string,
  content: string | Uint8Array,
): Promise<void> {
  const name = basename(realFile);
  const folder = await createAndPinFolder(dirname(realFile));
  const draft = folder.at(`.${name.slice(0, 100)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    const old = await lstat(folder.at(name)).catch(() => undefined);
    const file = await open(draft, CREATE_FLAGS, 0o666);
    try {
      if (old?.isFile() === true) await closeAfter(file, old);
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, folder.at(name));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await folder.close();
  }
}

/** Copies the owner, if permitted, and the mode of the replaced file. */
async function closeAfter(file: FileHandle, old: Stats): Promise<void> {
  if (old.uid !== process.getuid?.() || old.gid !== process.getgid?.()) {
    await file.chown(old.uid, old.gid).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EPERM" && error.code !== "EINVAL") throw error;
    });
  }
  await file.chmod(old.mode & 0o7777);
}

function descriptorPath(handle: FileHandle): string | undefined {
  const path = `/proc/self/fd/${handle.fd}`;
  return existsSync(path) ? path : undefined;
}

async function requireAt(handle: FileHandle, expected: string): Promise<void> {
  const through = descriptorPath(handle);
  const actual = through === undefined ? await realpath(expected) : await readlink(through);
  if (actual !== expected) throw folderMovedError(expected);
}

function folderMovedError(path: string): CairnError {
  return new CairnError(
    "forbidden",
    `"${path}" was moved or replaced by a symbolic link during the call. Nothing was read or written.`,
  );
}
