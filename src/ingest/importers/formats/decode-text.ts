import { invalidInput } from "../../../shared/errors.ts";

/**
 * Decodes UTF-8, or UTF-16 with a byte order mark. Throws invalid_input that names `label` for
 * anything else.
 */
export function decodeText(bytes: Uint8Array, label: string): string {
  const encoding = detectEncoding(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw invalidInput(
      `file: ${label} is not ${encoding.toUpperCase()} text; save it as UTF-8, or set the format with --from`,
    );
  }
}

function detectEncoding(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return "utf-8";
}
