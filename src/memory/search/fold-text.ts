/**
 * Flags, keycaps and pictographs with their joiners, by a property that covers future Unicode
 * versions. Characters that default to text (©, ®, arrows) count only with an emoji selector.
 */
const SIGN = "[\\u00a9\\u00ae\\u2194-\\u2199\\u21a9\\u21aa\\u3030\\u303d]";
const PICTURE = `(?:(?!${SIGN})\\p{Extended_Pictographic}|${SIGN}(?=\\ufe0f))`;
const MODIFIERS = "[\\ufe0f\\ufe0e\\u{1f3fb}-\\u{1f3ff}\\u{e0020}-\\u{e007f}]*";
const JOINED = `${PICTURE}${MODIFIERS}(?:\\u200d${PICTURE}${MODIFIERS})*`;
const EMOJI = new RegExp(`\\p{Regional_Indicator}{1,2}|[0-9#*]\\ufe0f?\\u20e3|${JOINED}`, "gu");

/** Variation selectors and skin tones, which only change an emoji's appearance. */
const APPEARANCE = /[\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}]/gu;
const KEYCAP = /^[0-9]/;

const MARK = "\ue000";
const WORD = /^(?:\ue000\d+)+$/;

/**
 * Replaces each emoji by a word of private-use characters and digits, since tokenizers would skip
 * it. Stemming and folding do not change the word. Skin tones are removed like accents; a keycap's
 * digit also remains as a word.
 */
function withEmojiWords(text: string): string {
  return text.replace(EMOJI, (emoji) => {
    const digit = KEYCAP.exec(emoji)?.[0] ?? "";
    return ` ${digit} ${emojiWord(emoji.replace(APPEARANCE, ""))} `;
  });
}

export function readableWord(word: string): string {
  if (!WORD.test(word)) return word;
  const numbers = word.split(MARK).slice(1).map(Number);
  return numbers.every((number) => number <= LAST_CHARACTER)
    ? String.fromCodePoint(...numbers)
    : word;
}

const LAST_CHARACTER = 0x10_ff_ff;

function emojiWord(emoji: string): string {
  return Array.from(emoji, (character) => `${MARK}${character.codePointAt(0)}`).join("");
}

/**
 * Characters within words that are not part of them: soft hyphen, zero-width space, joiners,
 * direction marks, variation selectors, tags, and the tatweel, which stretches Arabic words.
 */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\u0640/gu;
/** SQLite would index them as words, PostgreSQL would not. */
const UNASSIGNED = /\p{Cn}/gu;

/**
 * Optional marks in writing: vowels of Arabic and Hebrew, and accents of Latin, Greek and Cyrillic.
 * Marks of Indic and Thai scripts act as letters and remain.
 */
const OPTIONAL_MARKS = /[\u064b-\u065f\u0670\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]/gu;
const ACCENTED = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu;
const SHORT_I = /\u0438\u0306/gu;

/**
 * Normalizes text for comparison in the index and in queries: NFKC, case folding ("Straße" and
 * "STRASSE", "ΟΔΟΣ" and "οδός"), removal of invisible characters and optional marks, and emoji
 * words.
 */
export function foldText(text: string): string {
  return unaccented(caseFolded(visibleOnly(withEmojiWords(text.normalize("NFKC")))));
}

export function withoutInvisible(text: string): string {
  return visibleOnly(text.normalize("NFKC"));
}

function visibleOnly(text: string): string {
  return text.replace(INVISIBLE, "").replace(UNASSIGNED, " ").replace(OPTIONAL_MARKS, "");
}

/** Lower, upper and lower case in turn equal Unicode full case folding for ß, ﬁ, ŉ and ẞ. */
function caseFolded(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

function unaccented(text: string): string {
  return text.normalize("NFD").replace(SHORT_I, "й").replace(ACCENTED, "$1").normalize("NFC");
}
