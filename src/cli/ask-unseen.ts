import type { CommandLine } from "./command-line.ts";

type Keys = Pick<CommandLine, "stdin" | "stderr" | "signal">;

export async function askUnseen({ stdin, stderr, signal }: Keys, question: string) {
  const terminal = stdin as NodeJS.ReadStream;
  const isTyped = terminal.isTTY === true;
  if (isTyped) {
    stderr.write(question);
    terminal.setRawMode(true);
  }
  let line = "";
  try {
    stdin.setEncoding("utf8");
    for await (const text of stdin) {
      signal.throwIfAborted();
      for (const character of String(text)) {
        if (character === "\r" || character === "\n") return line;
        if (isTyped && (character === "\x03" || character === "\x04")) return undefined;
        if (isTyped && (character === "\x7f" || character === "\b")) line = line.slice(0, -1);
        else line += character;
      }
    }
    return line === "" ? undefined : line;
  } finally {
    if (isTyped) {
      terminal.setRawMode(false);
      stderr.write("\n");
    }
  }
}
