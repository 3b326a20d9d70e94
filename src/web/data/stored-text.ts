export interface Piece {
  readonly text: string;
  readonly control: string | undefined;
}

const BIDI_CONTROLS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;
const BETWEEN = new RegExp(`(${BIDI_CONTROLS.source})`);

const NAMES: Readonly<Record<string, string>> = {
  "\u061C": "Arabic letter mark",
  "\u200E": "left-to-right mark",
  "\u200F": "right-to-left mark",
  "\u202A": "left-to-right embedding",
  "\u202B": "right-to-left embedding",
  "\u202C": "pop directional formatting",
  "\u202D": "left-to-right override",
  "\u202E": "right-to-left override",
  "\u2066": "left-to-right isolate",
  "\u2067": "right-to-left isolate",
  "\u2068": "first strong isolate",
  "\u2069": "pop directional isolate",
};

export function getPieces(text: string): Piece[] {
  if (!BIDI_CONTROLS.test(text)) return [{ text, control: undefined }];
  return text
    .split(BETWEEN)
    .filter((part) => part !== "")
    .map((part) => ({ text: getCode(part) ?? part, control: NAMES[part] }));
}

export function withVisibleControls(text: string): string {
  return getPieces(text)
    .map(({ text: part, control }) => (control === undefined ? part : `[${part}]`))
    .join("");
}

function getCode(part: string): string | undefined {
  if (NAMES[part] === undefined) return undefined;
  return `U+${part.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}
