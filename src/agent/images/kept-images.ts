import { createHash } from "node:crypto";
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { endingOf, pictureOf } from "./picture.ts";

const KEPT_MS = 30 * 24 * 3_600_000;
const NAME = /^image:([0-9a-f]{16}\.(?:png|jpg|gif|webp))$/;

export class StoredImages {
  readonly #folder: string;

  constructor(dataDir: string) {
    this.#folder = join(dataDir, "images");
  }

  /** Answers with what a message says to show it. Throws invalid_input for what is no image. */
  async keep(bytes: Uint8Array): Promise<string> {
    const picture = pictureOf(bytes, "The image");
    const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
    const name = `${hash}${endingOf(picture)}`;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await this.#removeOld();
    await writeFile(join(this.#folder, name), bytes, { mode: 0o600 });
    return `@image:${name}`;
  }

  /** The file that a mention names, without its `@`; undefined: it names another thing. */
  pathOf(mention: string): string | undefined {
    const name = NAME.exec(mention)?.[1];
    return name === undefined ? undefined : join(this.#folder, name);
  }

  async #removeOld(): Promise<void> {
    const oldest = Date.now() - KEPT_MS;
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      const info = await stat(path).catch(() => undefined);
      if (info !== undefined && info.mtimeMs < oldest) await rm(path, { force: true });
    }
  }
}
