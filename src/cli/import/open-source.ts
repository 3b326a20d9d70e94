import type { ImportInput } from "../../ingest/importers/index.ts";
import { invalidInput } from "../../shared/errors.ts";
import type { CommandLine } from "../command-line.ts";

/** Part of the first line of every export. */
const EXPORT_MARKER = '"format":"cairn-export"';
const MARKER_SEARCH_CHARACTERS = 200;

export interface ImportFile {
  readonly input: ImportInput;
  readonly isExport: boolean;
}

export async function openSource(line: CommandLine, file: string | undefined): Promise<ImportFile> {
  const { createImportInput: heldImportInput, openImportInput } = await import(
    "../../ingest/importers/index.ts"
  );
  if (file !== undefined && file !== "-") {
    const { resolve } = await import("node:path");
    const input = await openImportInput(resolve(line.cwd, file));
    return { input, isExport: isExport(await input.peek()) };
  }
  if (line.stdin.isTTY === true && file === undefined) {
    throw invalidInput("file: name a file, or pipe an export: cairn import < backup.jsonl");
  }
  return openStdin(line, heldImportInput);
}

async function openStdin(
  line: CommandLine,
  hold: (bytes: Uint8Array) => ImportInput,
): Promise<ImportFile> {
  const chunks = line.stdin[Symbol.asyncIterator]();
  const first = await chunks.next();
  const beginning = first.done === true ? new Uint8Array() : Buffer.from(first.value);
  const rest = { [Symbol.asyncIterator]: () => chunks };
  if (isExport(beginning)) {
    return {
      input: { ...hold(beginning), chunks: () => joinInputs(beginning, rest) },
      isExport: true,
    };
  }
  const parts: Uint8Array[] = [beginning];
  for await (const chunk of rest) parts.push(Buffer.from(chunk));
  return { input: hold(Buffer.concat(parts)), isExport: false };
}

async function* joinInputs(
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array | string>,
): AsyncIterable<Uint8Array> {
  yield first;
  for await (const chunk of rest) yield Buffer.from(chunk);
}

function isExport(bytes: Uint8Array): boolean {
  const start = new TextDecoder()
    .decode(bytes.subarray(0, MARKER_SEARCH_CHARACTERS))
    .replaceAll(/\s/g, "");
  return start.includes(EXPORT_MARKER);
}
