import type { Key } from "./key.ts";
import { createKeyDecoder } from "./key-decoder.ts";

/** How long a lone Escape waits for the rest of a sequence. */
const ESCAPE_MS = 40;
/** How long a paste without an end waits for more. */
const PASTE_MS = 1000;

/** Switches the terminal to single keys and bracketed paste; returns the way back. */
export function readKeys(
  terminal: { readonly stdin: NodeJS.ReadStream; readonly stdout: NodeJS.WriteStream },
  onKey: (key: Key) => void,
): () => void {
  const { stdin, stdout } = terminal;
  const decoder = createKeyDecoder();
  let timer: NodeJS.Timeout | undefined;
  const onData = (bytes: Buffer | string) => {
    clearTimeout(timer);
    for (const key of decoder.push(Buffer.from(bytes))) onKey(key);
    if (!decoder.isWaiting) return;
    const flush = () => {
      for (const key of decoder.flush()) onKey(key);
    };
    timer = setTimeout(flush, decoder.isPasting ? PASTE_MS : ESCAPE_MS);
  };
  stdin.setRawMode(true);
  stdin.on("data", onData);
  stdin.resume();
  stdout.write("\x1b[?2004h");
  return () => {
    clearTimeout(timer);
    stdin.off("data", onData);
    stdin.pause();
    if (!stdin.destroyed) stdin.setRawMode(false);
    if (stdout.writable) stdout.write("\x1b[?2004l");
  };
}
