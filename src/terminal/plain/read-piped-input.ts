import { fstatSync } from "node:fs";
import { CairnError } from "../../shared/errors.ts";

/** More is not a prompt any more. */
const LARGEST_INPUT = 8 * 1024 * 1024;
/** How long a pipe that may never be written to is waited for when there is a prompt already. */
const FIRST_BYTE_MS = 3000;

/**
 * What was piped in, as text; bytes that are no UTF-8 become U+FFFD. With `isOptional` a pipe that
 * stays silent, as some programs hand one down, counts as empty. Throws too_large.
 */
export async function readPipedInput(
  stdin: NodeJS.ReadStream,
  isOptional: boolean,
): Promise<string> {
  if (stdin.isTTY === true || !isPipe(stdin)) return "";
  const chunks: Buffer[] = [];
  let size = 0;
  const reading = (async () => {
    for await (const chunk of stdin) {
      const bytes = Buffer.from(chunk as Buffer);
      size += bytes.length;
      if (size > LARGEST_INPUT) {
        throw new CairnError("too_large", "The piped input is larger than 8 MiB: pipe less of it.");
      }
      chunks.push(bytes);
    }
  })();
  if (!isOptional) await reading;
  else await Promise.race([reading, silence(() => size > 0, reading)]);
  return Buffer.concat(chunks).toString("utf8");
}

/** Resolves when nothing has come for a while; once something has, the end is waited for. */
async function silence(hasBegun: () => boolean, reading: Promise<void>): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, FIRST_BYTE_MS).unref());
  if (hasBegun()) await reading;
}

function isPipe(stdin: NodeJS.ReadStream): boolean {
  try {
    const stat = fstatSync("fd" in stdin ? Number(stdin.fd) : 0);
    return stat.isFIFO() || stat.isFile() || stat.isSocket();
  } catch {
    // Closed before the program started: there is nothing to read.
    return false;
  }
}
