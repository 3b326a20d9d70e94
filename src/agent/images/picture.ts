import { invalidInput } from "../../shared/errors.ts";

export interface Picture {
  /** `image/png`, `image/jpeg`, `image/gif` or `image/webp`: what every provider takes. */
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
}

/** The least that a provider takes: 5 MB of base64. */
const MAX_BYTES = 3_750_000;

const ENDINGS: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
};

/** True if a file is meant for one by its name. */
export function isPictureName(path: string): boolean {
  return /\.(png|jpe?g|gif|webp)$/i.test(path);
}

export function endingOf({ mediaType }: Picture): string {
  return `.${ENDINGS[mediaType] ?? "png"}`;
}

/** Throws invalid_input, with the cure, for what no provider takes. */
export function pictureOf(bytes: Uint8Array, name: string): Picture {
  const mediaType = mediaTypeOf(Buffer.from(bytes.subarray(0, 16)).toString("latin1"));
  if (mediaType === undefined) {
    throw invalidInput(`${name} is no PNG, JPEG, GIF or WebP image: convert it to one of these.`);
  }
  if (bytes.length > MAX_BYTES) {
    throw invalidInput(
      `${name} has ${bytes.length} bytes, more than the ${MAX_BYTES} that models take: make it ` +
        "smaller, for example with `magick in.png -resize 1600x out.jpg`.",
    );
  }
  return { mediaType, data: Buffer.from(bytes).toString("base64") };
}

/** By the first bytes: names and servers lie. */
function mediaTypeOf(head: string): string | undefined {
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(head)) return "image/gif";
  return /^RIFF[\s\S]{4}WEBP/.test(head) ? "image/webp" : undefined;
}
