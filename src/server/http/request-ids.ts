/** Fields with ids; other fields contain user text. */
const NAMING_FIELD = /(?:^|_)(?:ids?|items?|concepts?|episodes?|facts?|sources?|from|to|into)$/;
/** `ep:12`, `shop/fact:3`, or a concept id: `c` and 16 random characters including a digit. */
const GIVEN =
  /^(?:[A-Za-z0-9][\w.-]{0,63}\/)?(?:[a-z]{1,12}:\d{1,15}|c(?=[a-z]*\d)[0-9abcdefghjkmnpqrstvwxyz]{16})$/;
const MAX_ITEMS = 20;

export function idsIn(input: object): readonly string[] {
  return Object.entries(input)
    .filter(([field]) => NAMING_FIELD.test(field))
    .flatMap(([, value]) => (Array.isArray(value) ? value.slice(0, MAX_ITEMS) : [value]))
    .filter((value): value is string => typeof value === "string" && GIVEN.test(value))
    .slice(0, MAX_ITEMS);
}
