import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawMarkdown } from "../../../src/terminal/markdown/draw-markdown.ts";
import {
  emptyStream,
  finishMarkdown,
  type MarkdownBlock,
  pendingMarkdown,
  pushMarkdown,
} from "../../../src/terminal/markdown/markdown-stream.ts";
import { paintLine } from "../../../src/terminal/text/style.ts";

function stream(chunks: readonly string[]): {
  blocks: readonly MarkdownBlock[];
  mostHeld: number;
} {
  let state = emptyStream;
  let mostHeld = 0;
  const blocks: MarkdownBlock[] = [];
  for (const chunk of chunks) {
    const pushed = pushMarkdown(state, chunk);
    blocks.push(...pushed.blocks);
    state = pushed.stream;
    mostHeld = Math.max(mostHeld, pendingMarkdown(state).length);
  }
  return { blocks: [...blocks, ...finishMarkdown(state)], mostHeld };
}

const pieces = fc.array(
  fc.constantFrom(
    "para\n\n",
    "```ts\n",
    "```\n",
    "code();\n",
    "- item\n",
    "  more\n",
    "word ",
    "\n",
  ),
  { maxLength: 80 },
);

const visible = (text: string) =>
  drawMarkdown(text, 80)
    .map((line) => paintLine(line, "none"))
    .join("\n")
    .replace(/\s+/g, "");

describe("pushMarkdown", () => {
  it("is independent of chunking", () => {
    fc.assert(
      fc.property(pieces, fc.array(fc.nat(400)), (parts, cuts) => {
        const text = parts.join("");
        const at = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b)];
        const chunks = at.map((start, index) => text.slice(start, at[index + 1] ?? text.length));
        expect(
          stream(chunks)
            .blocks.map((block) => block.text)
            .join(""),
        ).toEqual(
          stream(text.split(""))
            .blocks.map((block) => block.text)
            .join(""),
        );
      }),
    );
  });

  it("shows every word of the message exactly once", () => {
    const text =
      "Intro here.\n\n- one\n- two\n\n```ts\nlet a = 1;\n```\nAfter.\n\n1. x\n\n   more of x\n";
    const output = stream(text.split(""))
      .blocks.map((block) => visible(block.text))
      .join("");
    expect(output).toBe(visible(text));
  });

  it("emits the beginning of an unfinished code block", () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line${index}();\n`);
    const { blocks, mostHeld } = stream(["```ts\n", ...lines, "```\n"]);
    expect(mostHeld).toBeLessThan(400);
    expect(blocks.length).toBeGreaterThan(4);
    expect(blocks.map((block) => block.continues)).toEqual(blocks.map((_, index) => index > 0));
    expect(visible(blocks.map((block) => block.text).join("\n```\n"))).toContain("line99();");
  });

  it("buffers a bounded part of an endless line", () => {
    const { blocks, mostHeld } = stream(Array.from({ length: 1000 }, () => "x".repeat(1000)));
    expect(mostHeld).toBeLessThan(6000);
    expect(blocks.map((block) => block.text).join("")).toHaveLength(1_000_000);
  });

  it.each([
    ["a list", "- item of a long list\n"],
    ["one paragraph", "a line of text\n"],
    ["one word", "x"],
    ["a table", "| a | b |\n"],
  ])("processes a megabyte of %s without stalling", (_name, part) => {
    const started = performance.now();
    stream([part.repeat(Math.ceil(1_000_000 / part.length))]);
    expect(performance.now() - started).toBeLessThan(6_000);
  });

  it("does not separate a list item from its paragraph", () => {
    const { blocks } = stream(["1. one\n\n   more of one\n\nAfter"]);
    expect(blocks.map((block) => block.text)).toEqual(["1. one\n\n   more of one\n\n", "After"]);
  });
});
