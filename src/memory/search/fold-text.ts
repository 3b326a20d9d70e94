import { withEmojiWords } from "./emoji-words.ts";

/**
 * Characters that stand in a word and are not of it: soft hyphen, zero-width space, joiners,
 * direction marks, variation selectors, tags; and the tatweel, which stretches Arabic words.
 */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\u0640/gu;

/**
 * Marks without which a word is written as a rule: the vowels of Arabic and Hebrew, and the accents
 * of Latin, Greek and Cyrillic, which are typed or not as the keyboard has them. Marks of Indic and
 * Thai scripts are letters of their own and stay.
 */
const OPTIONAL_MARKS = /[\u064b-\u065f\u0670\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]/gu;
const ACCENTED = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu;
/** й and ё: the one is a letter of its own, the other is not. */
const SHORT_I = /\u0438\u0306/gu;

/**
 * A text as its words are compared, in the index and in the query alike: compatible forms made one
 * (NFKC), case folded as in "Straße" and "STRASSE" and "ΟΔΟΣ" and "οδός", invisible characters and
 * marks that may be missing left out, emoji made words.
 */
export function foldText(text: string): string {
  return unaccented(caseFolded(visibleOnly(withEmojiWords(text.normalize("NFKC")))));
}

/** The same with case and accents kept, for whoever looks for the borders of words. */
export function withoutInvisible(text: string): string {
  return visibleOnly(text.normalize("NFKC"));
}

function visibleOnly(text: string): string {
  return text.replace(INVISIBLE, "").replace(OPTIONAL_MARKS, "");
}

/**
 * Through capitals and back, which is what Unicode's full case folding does to ß, ﬁ and ŉ. From small
 * letters, since ẞ is a capital already, and would come back as ß.
 */
function caseFolded(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

function unaccented(text: string): string {
  return text.normalize("NFD").replace(SHORT_I, "й").replace(ACCENTED, "$1").normalize("NFC");
}
