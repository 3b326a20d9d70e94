import { createHash } from "node:crypto";
import { mkdir, open, readdir, realpath, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { invalidInput, messageOf, notFound } from "../../shared/errors.ts";
import { isInside } from "../../shared/is-inside.ts";
import { NON_BLOCKING_READ } from "../documents/read-text-file.ts";

export interface Picture {
  /** `image/png`, `image/jpeg`, `image/gif` or `image/webp`: supported by every provider. */
  readonly mediaType: string;
  readonly data: string;
}

/** The lowest limit of a provider: 5 MB of base64. */
const MAX_BYTES = 3_750_000;

const EXTENSIONS: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
};

export function isPictureName(path: string): boolean {
  return /\.(png|jpe?g|gif|webp)$/i.test(path);
}

export function fileExtension({ mediaType }: Picture): string {
  return `.${EXTENSIONS[mediaType] ?? "png"}`;
}

/** Throws invalid_input, with the remedy, for an unsupported image. */
export function createPicture(bytes: Uint8Array, name: string): Picture {
  const mediaType = detectMediaType(Buffer.from(bytes.subarray(0, 16)).toString("latin1"));
  if (mediaType === undefined) {
    throw invalidInput(
      `${name} is not a PNG, JPEG, GIF or WebP image. Convert it to one of these.`,
    );
  }
  if (bytes.length > MAX_BYTES) {
    throw invalidInput(
      `${name} has ${bytes.length} bytes, more than the ${MAX_BYTES} that models accept: make it ` +
        "smaller, for example with `magick in.png -resize 1600x out.jpg`.",
    );
  }
  return { mediaType, data: Buffer.from(bytes).toString("base64") };
}

/** By content, since names and servers may be wrong. */
function detectMediaType(head: string): string | undefined {
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(head)) return "image/gif";
  return /^RIFF[\s\S]{4}WEBP/.test(head) ? "image/webp" : undefined;
}

type PictureFile =
  | { readonly kind: "picture"; readonly picture: Picture; readonly realPath: string }
  | { readonly kind: "missing" }
  | { readonly kind: "refused"; readonly reason: string };

const READ_BYTES = 64 * 1024 * 1024;

/** Returns a reason instead of throwing. */
export async function readPicture(path: string, within?: string): Promise<PictureFile> {
  let real: string;
  try {
    real = await realpath(path);
    if (within !== undefined && !isInside(await realpath(within), real)) {
      return { kind: "refused", reason: "it is outside the project" };
    }
  } catch {
    return { kind: "missing" };
  }
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer.
    const file = await open(real, NON_BLOCKING_READ);
    try {
      const info = await file.stat();
      if (!info.isFile()) return { kind: "refused", reason: "it is not a regular file" };
      if (info.size > READ_BYTES) return { kind: "refused", reason: `it has ${info.size} bytes` };
      return {
        kind: "picture",
        picture: createPicture(await file.readFile(), "it"),
        realPath: real,
      };
    } finally {
      await file.close();
    }
  } catch (error) {
    return { kind: "refused", reason: messageOf(error).replace(/\.$/, "") };
  }
}

const RETENTION_MS = 30 * 24 * 3_600_000;
const NAME_PATTERN = /^image:([0-9a-f]{16}\.(?:png|jpg|gif|webp))$/;

export class StoredImages {
  readonly #folder: string;

  constructor(dataDir: string) {
    this.#folder = join(dataDir, "images");
  }

  /** Returns the mention for a message. Throws invalid_input if it is not an image. */
  async store(bytes: Uint8Array): Promise<string> {
    const picture = createPicture(bytes, "The image");
    const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
    const name = `${hash}${fileExtension(picture)}`;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await this.#removeOld();
    await writeFile(join(this.#folder, name), bytes, { mode: 0o600 });
    return `@image:${name}`;
  }

  /** Throws not_found. */
  async read(name: string): Promise<Picture> {
    const path = this.pathOf(`image:${name}`);
    const found = path === undefined ? undefined : await readPicture(path);
    if (found?.kind !== "picture") throw notFound(`There is no stored image ${name}.`);
    return found.picture;
  }

  pathOf(mention: string): string | undefined {
    const name = NAME_PATTERN.exec(mention)?.[1];
    return name === undefined ? undefined : join(this.#folder, name);
  }

  async #removeOld(): Promise<void> {
    const oldest = Date.now() - RETENTION_MS;
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      const info = await stat(path).catch(() => undefined);
      if (info !== undefined && info.mtimeMs < oldest) await rm(path, { force: true });
    }
  }
}
