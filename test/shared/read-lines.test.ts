import { expect, it } from "vitest";
import { readLines } from "../../src/shared/read-lines.ts";

async function linesOf(...chunks: (string | Uint8Array)[]): Promise<string[]> {
  async function* stream() {
    yield* chunks;
  }
  const lines: string[] = [];
  for await (const line of readLines(stream())) lines.push(line);
  return lines;
}

it("splits only at line feeds, across chunks and inside characters", async () => {
  const euro = new TextEncoder().encode("€");
  expect(await linesOf("a\nb", "c\r\n", "\u2028", "\n\nd")).toEqual([
    "a",
    "bc\r",
    "\u2028",
    "",
    "d",
  ]);
  expect(await linesOf(euro.subarray(0, 1), euro.subarray(1), "\n")).toEqual(["€"]);
  expect(await linesOf("a\n")).toEqual(["a"]);
  expect(await linesOf()).toEqual([]);
});

it("reads one line of many chunks in linear time", async () => {
  const began = performance.now();
  const [line = ""] = await linesOf(...Array.from({ length: 4_000 }, () => "x".repeat(16_384)));
  expect(line).toHaveLength(4_000 * 16_384);
  expect(performance.now() - began).toBeLessThan(5_000);
});
