/** Phrases, in the most spoken languages, that announce that something else holds from now on. */
const AMENDING = [
  String.raw`\b(?:amend\w*|supersed\w*|overrul\w*|overrid\w*|revis(?:ed|ion|ing)|replac(?:es|ed|ing)|reverts?|reverted|withdrawn|obsolete|no longer|not any ?more|instead of|(?:changed|change) (?:our|my|your) minds?|change of plan|from now on|used to)\b`,
  String.raw`\b(?:ersetzt|geändert|stattdessen|nicht mehr|ab jetzt|ab sofort|remplac\w*|désormais|au lieu|ne .{1,30} plus|reemplaza\w*|en lugar|ya no|a partir de ahora|invece di|non più|d'ora in poi|substitu\w*|em vez|não mais|vervangt|niet meer|voortaan|zamiast|już nie|od teraz)\b`,
  "(?:вместо|больше не|отныне|заменя|不再|改为|改成|取代|代わりに|ではなく|に変更|대신|더 이상)",
];
const PATTERN = new RegExp(AMENDING.join("|"), "iu");

/** Whether a text says that it changes something that held before. */
export function amends(text: string): boolean {
  return PATTERN.test(text);
}
