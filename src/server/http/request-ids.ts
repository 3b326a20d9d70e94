/** Fields with ids; other fields contain user text. */
const ID_FIELD_PATTERN = /(?:^|_)(?:ids?|items?|concepts?|episodes?|facts?|sources?|from|to|into)$/;
/** `ep:12`, `shop/fact:3`, or a concept id: `c` and 16 random characters including a digit. */
const ID_PATTERN =
  /^(?:[A-Za-z0-9][\w.-]{0,63}\/)?(?:[a-z]{1,12}:\d{1,15}|c(?=[a-z]*\d)[0-9abcdefghjkmnpqrstvwxyz]{16})$/;
const MAX_ITEMS = 20;

export function collectIds(input: object): readonly string[] {
  return Object.entries(input)
    .filter(([field]) => ID_FIELD_PATTERN.test(field))
    .flatMap(([, value]) => (Array.isArray(value) ? value.slice(0, MAX_ITEMS) : [value]))
    .filter((value): value is string => typeof value === "string" && ID_PATTERN.test(value))
    .slice(0, MAX_ITEMS);
}
