import type { Key } from "./key.ts";
import { createKeyDecoder } from "./key-decoder.ts";

/** How long a lone Escape waits for the rest of a sequence. */
const ESCAPE_MS = 40;
/** How long a paste or an answer of the terminal without an end waits for more. */
const LONG_MS = 1000;

/** The system made a newline of an Enter that came before the terminal was switched. */
function typedEarly(bytes: Buffer): Buffer {
  return bytes.includes(0x1b)
    ? bytes
    : (bytes.map((byte) => (byte === 0x0a ? 0x0d : byte)) as Buffer);
}

/**
 * The kitty keyboard protocol's first level, where a terminal has it: Shift-Enter and a lone Escape
 * come as themselves. Others ignore it. https://sw.kovidgoyal.net/kitty/keyboard-protocol/
 */
const KEYS_TOLD_APART = "\x1b[>1u";
const KEYS_AS_BEFORE = "\x1b[<u";

export interface KeyListeners {
  readonly onKey: (key: Key) => void;
  /** Told what the terminal itself says (an OSC sequence, without its frame). */
  readonly onAnswer: (answer: string) => void;
}

/** Switches the terminal to single keys and bracketed paste; returns the way back. */
export function readKeys(
  terminal: { readonly stdin: NodeJS.ReadStream; readonly stdout: NodeJS.WriteStream },
  { onKey, onAnswer }: KeyListeners,
): () => void {
  const { stdin, stdout } = terminal;
  const decoder = createKeyDecoder(onAnswer);
  let timer: NodeJS.Timeout | undefined;
  let isFirst = true;
  const onData = (data: Buffer | string) => {
    clearTimeout(timer);
    const bytes = isFirst ? typedEarly(Buffer.from(data)) : Buffer.from(data);
    isFirst = false;
    for (const key of decoder.push(bytes)) onKey(key);
    if (!decoder.isWaiting) return;
    const flush = () => {
      for (const key of decoder.flush()) onKey(key);
    };
    timer = setTimeout(flush, decoder.waitsForLong ? LONG_MS : ESCAPE_MS);
  };
  stdin.setRawMode(true);
  stdin.on("data", onData);
  stdin.resume();
  stdout.write(`\x1b[?2004h${KEYS_TOLD_APART}`);
  return () => {
    clearTimeout(timer);
    stdin.off("data", onData);
    stdin.pause();
    if (!stdin.destroyed) stdin.setRawMode(false);
    if (stdout.writable) stdout.write(`${KEYS_AS_BEFORE}\x1b[?2004l`);
  };
}
