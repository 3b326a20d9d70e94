import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createKeyDecoder,
  formatChord,
  type Key,
} from "../../../src/terminal/input/key-decoder.ts";

const show = (key: Key) => (key.kind === "key" ? formatChord(key) : `${key.kind}:${key.text}`);

function decode(chunks: readonly (string | Uint8Array)[]): readonly string[] {
  const decoder = createKeyDecoder();
  const keys = chunks.flatMap((chunk) =>
    decoder.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk),
  );
  return [...keys, ...decoder.flush()].map(show);
}

describe("createKeyDecoder", () => {
  it.each([
    ["\x1b[A", "up"],
    ["\x1bOB", "down"],
    ["\x1b[1;5C", "ctrl+right"],
    ["\x1b[1;3D", "alt+left"],
    ["\x1b[3~", "delete"],
    ["\x1b[H", "home"],
    ["\x1b[4~", "end"],
    ["\x1b\r", "alt+enter"],
    ["\x1b[13;2u", "shift+enter"],
    ["\x1b[27;2;13~", "shift+enter"],
    ["\x1b\x7f", "alt+backspace"],
    ["\x1bb", "alt+b"],
    ["\x03", "ctrl+c"],
    ["\x1b[99;5u", "ctrl+c"],
    ["\x0a", "ctrl+j"],
    ["\x1b[Z", "shift+tab"],
    ["\x1b", "escape"],
  ])("reads %j", (bytes, chord) => {
    expect(decode([bytes])).toEqual([chord]);
  });

  it.each([
    ["in one piece", ["\x1b]11;rgb:ffff/ffff/ffff\x07a"]],
    ["with the other end", ["\x1b]11;rgb:ffff/ffff/ffff\x1b\\a"]],
    ["in pieces", ["\x1b]1", "1;rgb:ffff/ff", "ff/ffff\x1b", "\\a"]],
  ])("ignores terminal responses, %s", (_, chunks) => {
    const answers: string[] = [];
    const decoder = createKeyDecoder((answer) => answers.push(answer));
    const keys = chunks.flatMap((chunk) => decoder.push(Buffer.from(chunk)));
    expect(keys.map(show)).toEqual(["text:a"]);
    expect(answers).toEqual(["11;rgb:ffff/ffff/ffff"]);
  });

  it("drops an incomplete response and recognizes Alt-]", () => {
    expect(decode(["\x1b]11;rgb:ff"])).toEqual([]);
    expect(decode(["\x1b]"])).toEqual(["alt+]"]);
  });

  it("joins letters, preserves emoji and ignores unknown sequences", () => {
    expect(decode(["héllo 👩‍👩‍👧\x1b[?62c\x1b[I"])).toEqual(["text:héllo 👩‍👩‍👧"]);
  });

  it("treats a paste as one literal text", () => {
    expect(decode(["a\x1b[200~one\r\ntwo\x1b[31m\x03\x1b[201~b"])).toEqual([
      "text:a",
      "paste:one\ntwo\x1b[31m\x03",
      "text:b",
    ]);
  });

  it.each([
    ["in one chunk", ["\x1b[200~ls\x1b[201~\r!evil\r\x1b[201~"]],
    ["cut behind the first end", ["\x1b[200~ls\x1b[201~", "\r!evil\r\x1b[201~"]],
    ["with a beginning of its own", ["\x1b[200~ls\x1b[201~\x1b[200~", "\n!evil\n\x1b[201~"]],
  ])("treats a pasted end sequence as text: %s", (_, chunks) => {
    expect(decode(chunks)).toEqual(["paste:ls\n!evil\n"]);
  });

  it("is independent of chunking", () => {
    const bytes = Buffer.from("aé日\x1b[1;5C\x1b[200~x\r\ny👍\x1b[201~\x1bb\x1b[3~\r\x1b[13;2uz");
    const whole = decode([bytes]);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
        expect(decode(chunks).join("|").replaceAll("|text:", "")).toBe(
          whole.join("|").replaceAll("|text:", ""),
        );
      }),
    );
  });

  it("handles any bytes without pending state", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array()), (chunks) => {
        const decoder = createKeyDecoder();
        for (const chunk of chunks) decoder.push(chunk);
        decoder.flush();
        expect(decoder.isWaiting).toBe(false);
      }),
    );
  });
});
