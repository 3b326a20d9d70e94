/**
 * Flags, keycaps and pictographs with their joiners, by a property that covers future Unicode
 * versions. Characters that default to text (©, ®, arrows) count only with an emoji selector.
 */
const TEXT_STYLE_SIGN = "[\\u00a9\\u00ae\\u2194-\\u2199\\u21a9\\u21aa\\u3030\\u303d]";
const PICTOGRAPH = `(?:(?!${TEXT_STYLE_SIGN})\\p{Extended_Pictographic}|${TEXT_STYLE_SIGN}(?=\\ufe0f))`;
const MODIFIERS = "[\\ufe0f\\ufe0e\\u{1f3fb}-\\u{1f3ff}\\u{e0020}-\\u{e007f}]*";
const JOINED_PICTOGRAPHS = `${PICTOGRAPH}${MODIFIERS}(?:\\u200d${PICTOGRAPH}${MODIFIERS})*`;
const EMOJI_PATTERN = new RegExp(
  `\\p{Regional_Indicator}{1,2}|[0-9#*]\\ufe0f?\\u20e3|${JOINED_PICTOGRAPHS}`,
  "gu",
);

/** Variation selectors and skin tones, which only change an emoji's appearance. */
const EMOJI_APPEARANCE = /[\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}]/gu;
const KEYCAP_START = /^[0-9]/;

const EMOJI_WORD_MARK = "\ue000";
const EMOJI_WORDS = /^(?:\ue000\d+)+$/;

/**
 * Replaces each emoji by a word of private-use characters and digits, since tokenizers would skip
 * it. Stemming and folding do not change the word. Skin tones are removed like accents; a keycap's
 * digit also remains as a word.
 */
function replaceEmoji(text: string): string {
  return text.replace(EMOJI_PATTERN, (emoji) => {
    const digit = KEYCAP_START.exec(emoji)?.[0] ?? "";
    return ` ${digit} ${emojiWord(emoji.replace(EMOJI_APPEARANCE, ""))} `;
  });
}

export function toReadableWord(word: string): string {
  if (!EMOJI_WORDS.test(word)) return word;
  const numbers = word.split(EMOJI_WORD_MARK).slice(1).map(Number);
  return numbers.every((number) => number <= MAX_CODE_POINT)
    ? String.fromCodePoint(...numbers)
    : word;
}

const MAX_CODE_POINT = 0x10_ff_ff;

function emojiWord(emoji: string): string {
  return Array.from(emoji, (character) => `${EMOJI_WORD_MARK}${character.codePointAt(0)}`).join("");
}

/**
 * Characters within words that are not part of them: soft hyphen, zero-width space, joiners,
 * direction marks, variation selectors, tags, and the tatweel, which stretches Arabic words.
 */
const INVISIBLE_CHARACTER = /\p{Default_Ignorable_Code_Point}|\u0640/gu;
/** SQLite would index them as words, PostgreSQL would not. */
const UNASSIGNED_CHARACTER = /\p{Cn}/gu;

/**
 * Optional marks in writing: vowels of Arabic and Hebrew, and accents of Latin, Greek and Cyrillic.
 * Marks of Indic and Thai scripts act as letters and remain.
 */
const OPTIONAL_MARKS = /[\u064b-\u065f\u0670\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]/gu;
const ACCENTED_LETTER = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu;
const SHORT_I = /\u0438\u0306/gu;

/**
 * Normalizes text for comparison in the index and in queries: NFKC, case folding ("Straße" and
 * "STRASSE", "ΟΔΟΣ" and "οδός"), removal of invisible characters and optional marks, and emoji
 * words.
 */
export function foldText(text: string): string {
  return removeAccents(foldCase(stripInvisible(replaceEmoji(text.normalize("NFKC")))));
}

export function removeInvisible(text: string): string {
  return stripInvisible(text.normalize("NFKC"));
}

function stripInvisible(text: string): string {
  return text
    .replace(INVISIBLE_CHARACTER, "")
    .replace(UNASSIGNED_CHARACTER, " ")
    .replace(OPTIONAL_MARKS, "");
}

/** Lower, upper and lower case in turn equal Unicode full case folding for ß, ﬁ, ŉ and ẞ. */
function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

function removeAccents(text: string): string {
  return text
    .normalize("NFD")
    .replace(SHORT_I, "й")
    .replace(ACCENTED_LETTER, "$1")
    .normalize("NFC");
}
