export type Color = "red" | "green" | "yellow" | "blue" | "magenta" | "cyan" | "gray";

export type Background = "added" | "removed" | "addedWord" | "removedWord";

export interface Style {
  readonly color?: Color;
  readonly background?: Background;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly strike?: boolean;
  readonly inverse?: boolean;
  readonly cursor?: boolean;
}

export interface Span {
  readonly text: string;
  readonly style?: Style;
}

export type Line = readonly Span[];

/**
 * `dark` and `light`: 256 colors on that background. `color`: 16 colors, no background. `mono`
 * (NO_COLOR): weight and inversion. `none`: plain text.
 */
export type Paint = "dark" | "light" | "color" | "mono" | "none";

const BACKGROUND_CODES: Readonly<Record<"dark" | "light", Readonly<Record<Background, string>>>> = {
  dark: {
    added: "38;5;255;48;5;22",
    removed: "38;5;255;48;5;52",
    addedWord: "38;5;255;48;5;28",
    removedWord: "38;5;255;48;5;88",
  },
  light: {
    added: "38;5;16;48;5;194",
    removed: "38;5;16;48;5;224",
    addedWord: "38;5;16;48;5;151",
    removedWord: "38;5;16;48;5;217",
  },
};

const COLOR_CODES: Readonly<Record<Color, number>> = {
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
  gray: 90,
};

const LIGHT_CODES: Readonly<Partial<Record<Color, string>>> = {
  green: "38;5;28",
  yellow: "38;5;130",
  cyan: "38;5;30",
  gray: "38;5;242",
};

export function paintLine(line: Line, paint: Paint): string {
  return line.map((piece) => paintSpan(piece, paint)).join("");
}

function paintSpan({ text, style }: Span, paint: Paint): string {
  if (style === undefined || paint === "none" || text === "") return text;
  const codes = sgrCodes(style, paint);
  return codes.length === 0 ? text : `\x1b[${codes.join(";")}m${text}\x1b[0m`;
}

function sgrCodes(style: Style, paint: Paint): readonly (number | string)[] {
  const codes: (number | string)[] = [];
  if (style.bold === true) codes.push(1);
  if (style.underline === true) codes.push(4);
  if (style.inverse === true) codes.push(7);
  const isMarked = style.background === "addedWord" || style.background === "removedWord";
  if (isMarked && (paint === "mono" || paint === "color")) codes.push(7);
  if (paint === "mono") return codes;
  if (style.dim === true) codes.push(2);
  if (style.italic === true) codes.push(3);
  if (style.strike === true) codes.push(9);
  const hasBackground = style.background !== undefined && (paint === "dark" || paint === "light");
  if (hasBackground) codes.push(BACKGROUND_CODES[paint][style.background]);
  else if (style.color !== undefined) codes.push(colorCode(style.color, paint));
  return codes;
}

function colorCode(color: Color, paint: Paint): number | string {
  return (paint === "light" ? LIGHT_CODES[color] : undefined) ?? COLOR_CODES[color];
}
