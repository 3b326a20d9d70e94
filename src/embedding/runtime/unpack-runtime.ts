import { constants, existsSync } from "node:fs";
import {
  access,
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";

const decompress = promisify(brotliDecompress);

/** One line of JSON that precedes the contents of the files. */
interface Contents {
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
}

/**
 * The folder with the runtime's files. They are unpacked once, into the first of `folders` that can
 * be written: an installation may belong to root. Several processes may do so at once, and files of
 * another user are never used.
 */
export async function unpackRuntime(archive: string, folders: readonly string[]): Promise<string> {
  const { size, mtimeMs } = await stat(archive);
  // The name changes with the archive, so that a newer installation unpacks its own.
  const name = `${basename(archive, ".br")}-${size}-${Math.trunc(mtimeMs)}`;
  for (const folder of folders) {
    if (await isOurs(join(folder, name), folder)) return join(folder, name);
  }
  let failure: unknown;
  for (const folder of folders) {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return await unpackInto(folder, name, archive);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/**
 * Beside the archive everything belongs to whoever installed it; elsewhere the folder must belong
 * to this user.
 */
async function isOurs(unpacked: string, folder: string): Promise<boolean> {
  try {
    await access(unpacked, constants.R_OK | constants.X_OK);
  } catch {
    // Missing, or unpacked by another user for themselves.
    return false;
  }
  const { uid } = await stat(unpacked);
  const owners = [process.getuid?.() ?? uid, (await stat(folder)).uid];
  return owners.includes(uid);
}

async function unpackInto(folder: string, name: string, archive: string): Promise<string> {
  const draft = await mkdtemp(join(folder, `.${name}-`));
  try {
    const data = await decompress(await readFile(archive));
    const line = data.indexOf(10);
    const { files } = JSON.parse(data.subarray(0, line).toString("utf8")) as Contents;
    let at = line + 1;
    for (const file of files) {
      const content = data.subarray(at, at + file.bytes);
      const path = join(draft, basename(file.name));
      await writeFile(path, content);
      await chmod(path, 0o755);
      at += file.bytes;
    }
    // A temporary folder is private; other users of this installation read the files too.
    await chmod(draft, 0o755);
    await rename(draft, join(folder, name));
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another process unpacked it first.
    if (!existsSync(join(folder, name))) throw error;
  }
  return join(folder, name);
}
