import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import writeFileAtomic from "write-file-atomic";

/** Writes to a temporary file and renames it, keeping the mode; a reader never sees half a file. */
export async function writeWholeFile(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const mode = await stat(path).then(
    (info) => info.mode & 0o7777,
    () => undefined,
  );
  await writeFileAtomic(path, content, mode === undefined ? {} : { mode });
}
