import { encode, renderUnicodeCompact } from "uqr";

/** Light modules around a code, by which cameras find it. */
const BORDER = 4;

/** A link as a QR code: rows of `1` for dark and `0` for light. */
export function codeRows(link: string): readonly string[] {
  const { data } = encode(link, { ecc: "L", border: BORDER });
  return data.map((row) => row.map((isDark) => (isDark ? "1" : "0")).join(""));
}

/** The same in half blocks for a terminal, which is taken to be dark. */
export function codeInBlocks(link: string): string {
  return renderUnicodeCompact(link, { ecc: "L", border: BORDER });
}
