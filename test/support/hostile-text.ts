import fc from "fast-check";

const PIECES = [
  "\ud83d",
  "\ude00",
  "😀",
  "👩‍👩‍👧‍👦",
  "\0",
  "\uFEFF",
  "\r",
  "\r\n",
  "\n",
  "\t",
  "\u2028",
  "\u202e",
  "\u0378",
  "e\u0301",
  "[[",
  "*a_",
  "> ",
  "```",
  "$ref",
  "__proto__",
  "null",
  '"',
  "\\",
  "<cairn>",
  "a",
  " ",
];

/** Malformed text as broken clients send it: lone surrogates, NUL, byte order marks, markup. */
export const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 8 })), { maxLength: 20 })
  .map((pieces) => pieces.join(""));
