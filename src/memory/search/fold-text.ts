/**
 * Flags, keycaps, and pictures with everything that joiners add to them. Pictures are recognised by a
 * property that also covers later versions of Unicode. Signs that are text unless a selector follows (©, ®,
 * arrows) count as pictures only with that selector.
 */
const SIGN = "[\\u00a9\\u00ae\\u2194-\\u2199\\u21a9\\u21aa\\u3030\\u303d]";
const PICTURE = `(?:(?!${SIGN})\\p{Extended_Pictographic}|${SIGN}(?=\\ufe0f))`;
const MODIFIERS = "[\\ufe0f\\ufe0e\\u{1f3fb}-\\u{1f3ff}\\u{e0020}-\\u{e007f}]*";
const JOINED = `${PICTURE}${MODIFIERS}(?:\\u200d${PICTURE}${MODIFIERS})*`;
const EMOJI = new RegExp(`\\p{Regional_Indicator}{1,2}|[0-9#*]\\ufe0f?\\u20e3|${JOINED}`, "gu");

/** Selectors that only change how an emoji is drawn: as picture or text, and its skin tone. */
const LOOK = /[\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}]/gu;
const KEYCAP = /^[0-9]/;

const MARK = "\ue000";
const WORD = /^(?:\ue000\d+)+$/;

/**
 * Replaces each emoji by a word of private characters and digits, since tokenizers would skip the emoji.
 * Neither stemming nor folding of case or accents changes that word. Skin tones are removed like accents; the
 * digit of a keycap also stays as a word of its own.
 */
function withEmojiWords(text: string): string {
  return text.replace(EMOJI, (emoji) => {
    const digit = KEYCAP.exec(emoji)?.[0] ?? "";
    return ` ${digit} ${wordOf(emoji.replace(LOOK, ""))} `;
  });
}

/** Turns a stored word back into the form that people write. */
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

/**
 * Characters that occur within words without being part of them: soft hyphen, zero-width space, joiners,
 * direction marks, variation selectors, tags, and the tatweel, which stretches Arabic words.
 */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\u0640/gu;
/** SQLite would index them as words, PostgreSQL would not. */
const UNASSIGNED = /\p{Cn}/gu;

/**
 * Marks that are often left out in writing: the vowels of Arabic and Hebrew, and the accents of Latin, Greek
 * and Cyrillic. Marks of Indic and Thai scripts act as letters and stay.
 */
const OPTIONAL_MARKS = /[\u064b-\u065f\u0670\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]/gu;
const ACCENTED = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu;
const SHORT_I = /\u0438\u0306/gu;

/**
 * The form in which words are compared, in the index and in queries: compatibility forms are unified (NFKC),
 * case is folded ("Straße" and "STRASSE", "ΟΔΟΣ" and "οδός"), invisible characters and optional marks are
 * removed, and emoji become words.
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

/**
 * Upper case and back, which equals Unicode's full case folding for ß, ﬁ and ŉ. It starts from lower case
 * because ẞ is already upper case and would come back as ß.
 */
function caseFolded(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

function unaccented(text: string): string {
  return text.normalize("NFD").replace(SHORT_I, "й").replace(ACCENTED, "$1").normalize("NFC");
}
