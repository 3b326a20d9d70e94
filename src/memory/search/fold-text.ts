import { withEmojiWords } from "./emoji-words.ts";

/**
 * Characters that occur within words without being part of them: soft hyphen, zero-width space, joiners,
 * direction marks, variation selectors, tags, and the tatweel, which stretches Arabic words.
 */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\u0640/gu;

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
  return text.replace(INVISIBLE, "").replace(OPTIONAL_MARKS, "");
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
