import { StringDecoder } from "node:string_decoder";

/**
 * Splits a UTF-8 stream only at `\n`, because JSON may contain every other line break. Linear even
 * for a single line.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<string, void, void> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  for await (const chunk of chunks) {
    const text = typeof chunk === "string" ? chunk : decoder.write(Buffer.from(chunk));
    const [first = "", ...lines] = text.split("\n");
    // Appending does not copy the existing text.
    rest += first;
    const last = lines.pop();
    if (last === undefined) continue;
    yield rest;
    yield* lines;
    rest = last;
  }
  rest += decoder.end();
  if (rest !== "") yield rest;
}
