/** Fields that name items; what is asked or remembered stands in others. */
const NAMING_FIELD = /(?:^|_)(?:ids?|items?|concepts?|episodes?|facts?|sources?|from|to|into)$/;
/**
 * `ep:12`, `shop/fact:3`, and of a concept `c` with 16 characters by chance: what the memory gave, never a word
 * of a person, who has no such word with a digit in it.
 */
const GIVEN =
  /^(?:[A-Za-z0-9][\w.-]{0,63}\/)?(?:[a-z]{1,12}:\d{1,15}|c(?=[a-z]*\d)[0-9abcdefghjkmnpqrstvwxyz]{16})$/;
const MAX_ITEMS = 20;

/** Ids of the items that an input names, without words: entities are called by words. */
export function idsIn(input: object): readonly string[] {
  return Object.entries(input)
    .filter(([field]) => NAMING_FIELD.test(field))
    .flatMap(([, value]) => (Array.isArray(value) ? value.slice(0, MAX_ITEMS) : [value]))
    .filter((value): value is string => typeof value === "string" && GIVEN.test(value))
    .slice(0, MAX_ITEMS);
}
