import { StringDecoder } from "node:string_decoder";

/**
 * Lines of a stream of UTF-8, split only at `\n`, because JSON may contain every other line break.
 * Takes linear time even if the stream is one line.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<string, void, void> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  for await (const chunk of chunks) {
    const text = typeof chunk === "string" ? chunk : decoder.write(Buffer.from(chunk));
    const [first = "", ...lines] = text.split("\n");
    // Appending does not copy what was read before.
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
