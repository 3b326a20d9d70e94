import { invalidInput } from "../../shared/errors.ts";
import type { WebAnswer } from "./request-page.ts";

export interface PageText {
  readonly isHtml: boolean;
  readonly text: string;
}

/** Types beside `text/*` whose bytes are text. */
const TEXT_TYPES =
  /^(text\/|application\/(json|xml|javascript|ecmascript|x-javascript|typescript|yaml|x-yaml|toml|sql|graphql|x-sh|x-ndjson|jsonl|rtf)$|application\/.*\+(json|xml|yaml)$|image\/svg\+xml$)/;
const HTML_TYPES = /^(text\/html|application\/xhtml\+xml)$/;
/** Types that say nothing about what it is. */
const UNTOLD = /^(|application\/octet-stream|binary\/octet-stream|application\/unknown)$/;
/** Bytes in which a page names its encoding. */
const HEAD = 2_048;

/** The text of an answer. Throws invalid_input for pictures, archives and other binaries. */
export function pageText({ url, contentType, body }: WebAnswer): PageText {
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const isBinary = body.subarray(0, 8_192).includes(0) && !startsAsUtf16(body);
  if (isBinary || !(TEXT_TYPES.test(type) || UNTOLD.test(type) || HTML_TYPES.test(type))) {
    throw binary(url, type, body.length);
  }
  const text = decode(body, contentType);
  const isHtml =
    HTML_TYPES.test(type) || (UNTOLD.test(type) && /^\s*<(!doctype html|html)/i.test(text));
  return { isHtml, text };
}

function binary(url: URL, type: string, bytes: number): Error {
  const name = url.pathname.split("/").pop() || "file";
  const is = type.startsWith("image/") ? "a picture" : "no text";
  return invalidInput(
    `${url.href} is ${is} (${type || "of a type that is not told"}, ${bytes} bytes). ` +
      `Where it is needed, download it in the shell: curl -o ${JSON.stringify(name)} …`,
  );
}

/** By its first bytes, by what the server says, by what the page says of itself; else UTF-8. */
function decode(body: Buffer, contentType: string): string {
  const head = body.subarray(0, HEAD).toString("latin1");
  const named =
    /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1] ??
    /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)/i.exec(head)?.[1] ??
    /^<\?xml[^>]+encoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1];
  const mark = startsAsUtf16(body);
  return decoderFor(mark ?? named ?? "utf-8").decode(body);
}

function decoderFor(name: string): { decode(bytes: Buffer): string } {
  try {
    return new TextDecoder(name);
  } catch {
    // An encoding that nobody knows: most of the web is UTF-8.
    return new TextDecoder();
  }
}

function startsAsUtf16(body: Buffer): string | undefined {
  if (body[0] === 0xff && body[1] === 0xfe) return "utf-16le";
  return body[0] === 0xfe && body[1] === 0xff ? "utf-16be" : undefined;
}
