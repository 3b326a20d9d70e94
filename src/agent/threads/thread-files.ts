import { createHash } from "node:crypto";
import { mkdirSync, realpathSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Where the threads of one project are kept: `<data dir>/threads/<project hash>/<threadId>.*`. */
export class ThreadFiles {
  readonly folder: string;

  constructor(dataDir: string, projectRoot: string) {
    const hash = createHash("sha256").update(realPathOf(projectRoot)).digest("hex").slice(0, 16);
    this.folder = join(dataDir, "threads", hash);
  }

  /** Made with the first thread: a start that says nothing leaves nothing behind. */
  prepare(): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
  }

  transcript(threadId: string): string {
    return join(this.folder, `${threadId}.jsonl`);
  }

  state(threadId: string): string {
    return join(this.folder, `${threadId}.json`);
  }

  lock(threadId: string): string {
    return join(this.folder, `${threadId}.lock`);
  }

  async threadIds(): Promise<readonly string[]> {
    const names = await readdir(this.folder).catch(() => []);
    return names.flatMap((name) => (name.endsWith(".jsonl") ? [name.slice(0, -6)] : []));
  }

  async remove(threadId: string): Promise<void> {
    await rm(this.transcript(threadId), { force: true });
    await rm(this.state(threadId), { force: true });
  }
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
