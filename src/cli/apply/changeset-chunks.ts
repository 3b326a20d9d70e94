import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { fileReason, invalidInput } from "../../shared/errors.ts";
import type { CommandLine } from "../command-line.ts";

/** A changeset from a file or standard input, in chunks as it arrives. Throws invalid_input. */
export async function* changesetChunks(
  line: CommandLine,
  file: string | undefined,
): AsyncGenerator<string, undefined> {
  if (file === undefined && line.stdin.isTTY === true) {
    throw invalidInput("file: name a file, or pipe a changeset: cairn apply < changes.txt");
  }
  const isInput = file === undefined || file === "-";
  const source = isInput ? line.stdin : createReadStream(resolve(line.cwd, file));
  const decoder = new TextDecoder();
  try {
    for await (const chunk of source) yield decoder.decode(Buffer.from(chunk), { stream: true });
  } catch (error) {
    throw invalidInput(`file: cannot read ${file ?? "standard input"}: ${fileReason(error)}`);
  }
  yield decoder.decode();
}
