/**
 * Flags, keycaps, and pictures with all that joiners add to them. Pictures are told by the property
 * that holds for those of later versions of Unicode as well; signs that are text unless a selector
 * follows (©, ®, arrows) are pictures with it alone.
 */
const SIGN = "[\\u00a9\\u00ae\\u2194-\\u2199\\u21a9\\u21aa\\u3030\\u303d]";
const PICTURE = `(?:(?!${SIGN})\\p{Extended_Pictographic}|${SIGN}(?=\\ufe0f))`;
const MODIFIERS = "[\\ufe0f\\ufe0e\\u{1f3fb}-\\u{1f3ff}\\u{e0020}-\\u{e007f}]*";
const JOINED = `${PICTURE}${MODIFIERS}(?:\\u200d${PICTURE}${MODIFIERS})*`;
const EMOJI = new RegExp(`\\p{Regional_Indicator}{1,2}|[0-9#*]\\ufe0f?\\u20e3|${JOINED}`, "gu");

/** How an emoji is drawn: as a picture or as text, and in which tone of skin. */
const LOOK = /[\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}]/gu;
const KEYCAP = /^[0-9]/;

/** Begins the number of each character of an emoji; tokenizers take it for a letter. */
const MARK = "\ue000";
const WORD = /^(?:\ue000\d+)+$/;

/**
 * The text with a word of private characters and digits for each emoji, which tokenizers would
 * pass over. Neither stemming nor the folding of case or accents changes it. Tones of skin are folded
 * like accents; the digit of a keycap stays a word beside it.
 */
export function withEmojiWords(text: string): string {
  return text.replace(EMOJI, (emoji) => {
    const digit = KEYCAP.exec(emoji)?.[0] ?? "";
    return ` ${digit} ${wordOf(emoji.replace(LOOK, ""))} `;
  });
}

/** A word as people write it. */
export function readableWord(word: string): string {
  if (!WORD.test(word)) return word;
  const numbers = word.split(MARK).slice(1).map(Number);
  return numbers.every((number) => number <= LAST_CHARACTER)
    ? String.fromCodePoint(...numbers)
    : word;
}

const LAST_CHARACTER = 0x10_ff_ff;

function wordOf(emoji: string): string {
  return Array.from(emoji, (character) => `${MARK}${character.codePointAt(0)}`).join("");
}
