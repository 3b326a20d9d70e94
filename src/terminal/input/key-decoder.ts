import { StringDecoder } from "node:string_decoder";

export interface KeyDecoder {
  push(bytes: Uint8Array): readonly Key[];
  /** Returns keys in incomplete input after a timeout: a lone Escape, an unterminated paste. */
  flush(): readonly Key[];
  readonly isWaiting: boolean;
  readonly waitsForLong: boolean;
}

/**
 * Decodes terminal input: UTF-8, control characters, CSI and SS3 keys, kitty keys, bracketed paste.
 * Terminal responses (OSC) go to `onAnswer`.
 */
export function createKeyDecoder(onAnswer: (answer: string) => void = () => {}): KeyDecoder {
  const utf8 = new StringDecoder("utf8");
  let waiting = "";
  const take = (isFinal: boolean): readonly Key[] => {
    const keys: Key[] = [];
    let rest = waiting;
    while (rest !== "") {
      const step = nextKey(rest, isFinal);
      if (step === undefined) break;
      if (step.key !== undefined) keys.push(step.key);
      if (step.answer !== undefined) onAnswer(step.answer);
      rest = rest.slice(step.length);
    }
    waiting = rest;
    return joinText(keys);
  };
  return {
    push: (bytes) => {
      waiting += utf8.write(Buffer.from(bytes));
      return take(false);
    },
    flush: () => take(true),
    get isWaiting() {
      return waiting !== "";
    },
    get waitsForLong() {
      const isOpenPaste = waiting.startsWith(PASTE_START) && !waiting.includes(PASTE_END);
      return isOpenPaste || REPLY_START.test(waiting);
    },
  };
}

interface Step {
  readonly key?: Key;
  readonly answer?: string;
  readonly length: number;
}

const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";
const CSI_SEQUENCE = /^\x1b\[([0-?]*)[ -/]*([@-~])/;
const SS3_SEQUENCE = /^\x1bO([0-9;]*)([A-Za-z])/;
/** Requires a digit, since Alt-] is a key. */
const REPLY_START = /^\x1b\]\d[^\x07\x1b]*(?:\x1b(?!\\))?$/;
const REPLY_SEQUENCE = /^\x1b\](\d[^\x07\x1b]*)(?:\x07|\x1b\\)/;
const MAX_REPLY_LENGTH = 256;
const MAX_SEQUENCE_LENGTH = 32;

function nextKey(input: string, isFinal: boolean): Step | undefined {
  const first = input.charCodeAt(0);
  if (first !== 0x1b) return plainKey(input);
  if (input.startsWith(PASTE_START)) return pasteKey(input, isFinal);
  const answer = REPLY_SEQUENCE.exec(input);
  if (answer !== null) return { answer: answer[1] ?? "", length: answer[0].length };
  if (REPLY_START.test(input) && input.length < MAX_REPLY_LENGTH) {
    return isFinal ? { length: input.length } : undefined;
  }
  const csi = CSI_SEQUENCE.exec(input);
  if (csi !== null) return withKey(csiKey(csi[1] ?? "", csi[2] ?? ""), csi[0].length);
  const ss3 = SS3_SEQUENCE.exec(input);
  if (ss3 !== null) return withKey(csiKey(ss3[1] ?? "", ss3[2] ?? ""), ss3[0].length);
  if (
    !isFinal &&
    /^\x1b(?:$|\[[0-?]*[ -/]*$|O[0-9;]*$)/.test(input) &&
    input.length < MAX_SEQUENCE_LENGTH
  ) {
    return undefined;
  }
  if (input.length === 1 || input[1] === "\x1b") return { key: createKey("escape"), length: 1 };
  return altKey(input);
}

function withKey(key: Key | undefined, length: number): Step {
  return key === undefined ? { length } : { key, length };
}

function pasteKey(input: string, isFinal: boolean): Step | undefined {
  if (!isFinal) return undefined;
  const end = input.lastIndexOf(PASTE_END);
  const text = input.slice(PASTE_START.length, end === -1 ? undefined : end);
  const length = end === -1 ? input.length : end + PASTE_END.length;
  const plain = text.replaceAll(PASTE_START, "").replaceAll(PASTE_END, "");
  return { key: { kind: "paste", text: plain.replace(/\r\n?/g, "\n") }, length };
}

function altKey(input: string): Step {
  const inner = plainKey(input.slice(1));
  if (inner.key === undefined) return { length: 1 + inner.length };
  if (inner.key.kind === "key")
    return { key: { ...inner.key, alt: true }, length: 1 + inner.length };
  return { key: createKey(inner.key.text.toLowerCase(), { alt: true }), length: 1 + inner.length };
}

const CONTROL_KEYS: Readonly<Record<number, string>> = {
  8: "backspace",
  9: "tab",
  13: "enter",
  127: "backspace",
};

function plainKey(input: string): Step {
  const code = input.codePointAt(0) ?? 0;
  const name = CONTROL_KEYS[code];
  if (name !== undefined) return { key: createKey(name), length: 1 };
  if (code === 0) return { key: createKey("space", { ctrl: true }), length: 1 };
  if (code < 27)
    return { key: createKey(String.fromCharCode(code + 96), { ctrl: true }), length: 1 };
  if (code === 31) return { key: createKey("_", { ctrl: true }), length: 1 };
  if (code < 32 || (code >= 128 && code < 160)) return { length: 1 };
  const text = String.fromCodePoint(code);
  return { key: { kind: "text", text }, length: text.length };
}

const FINAL_KEYS: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  F: "end",
  H: "home",
  M: "enter",
};
const TILDE_KEYS: Readonly<Record<string, string>> = {
  "1": "home",
  "3": "delete",
  "4": "end",
  "5": "pageup",
  "6": "pagedown",
  "7": "home",
  "8": "end",
};
const KITTY_KEYS: Readonly<Record<number, string>> = {
  9: "tab",
  13: "enter",
  27: "escape",
  127: "backspace",
};

function csiKey(parameters: string, final: string): Key | undefined {
  const [first = "", second = "", third = ""] = parameters.split(";");
  if (final === "Z") return createKey("tab", { shift: true });
  if (final === "u") return codeKey(Number(first.split(":")[0]), parseModifiers(second));
  if (final === "~" && first === "27") return codeKey(Number(third), parseModifiers(second));
  const name = final === "~" ? TILDE_KEYS[first] : FINAL_KEYS[final];
  return name === undefined ? undefined : createKey(name, parseModifiers(second));
}

function codeKey(code: number, modifiers: Modifiers): Key | undefined {
  const name = KITTY_KEYS[code];
  if (name !== undefined) return createKey(name, modifiers);
  if (!(code >= 32 && code < 0x110000)) return undefined;
  const text = String.fromCodePoint(code);
  if (modifiers.ctrl !== true && modifiers.alt !== true) return { kind: "text", text };
  return createKey(text.toLowerCase(), modifiers);
}

/** xterm's modifiers: 1 plus shift 1, alt 2, ctrl 4. Kitty appends `:event`. */
function parseModifiers(parameter: string): Modifiers {
  const bits = Math.max(0, Number.parseInt(parameter || "1", 10) - 1);
  return { shift: (bits & 1) !== 0, alt: (bits & 2) !== 0, ctrl: (bits & 4) !== 0 };
}

function joinText(keys: readonly Key[]): readonly Key[] {
  const joined: Key[] = [];
  for (const key of keys) {
    const last = joined.at(-1);
    if (key.kind === "text" && last?.kind === "text") {
      joined[joined.length - 1] = { kind: "text", text: last.text + key.text };
    } else joined.push(key);
  }
  return joined;
}

export type Key =
  | { readonly kind: "text"; readonly text: string }
  /** Line endings are `\n`. */
  | { readonly kind: "paste"; readonly text: string }
  | {
      readonly kind: "key";
      readonly name: string;
      readonly ctrl: boolean;
      readonly alt: boolean;
      readonly shift: boolean;
    };

interface Modifiers {
  readonly ctrl?: boolean;
  readonly alt?: boolean;
  readonly shift?: boolean;
}

export function createKey(name: string, modifiers: Modifiers = {}): Key {
  const { ctrl = false, alt = false, shift = false } = modifiers;
  return { kind: "key", name, ctrl, alt, shift };
}

/** Formats a key for comparison with bindings: `ctrl+alt+left`. */
export function formatChord(key: Key): string {
  if (key.kind !== "key") return "";
  return `${key.ctrl ? "ctrl+" : ""}${key.alt ? "alt+" : ""}${key.shift ? "shift+" : ""}${key.name}`;
}
