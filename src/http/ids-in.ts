/** Fields that name items; what is asked or remembered stands in others. */
const NAMING_FIELD = /(?:^|_)(?:ids?|items?)$/;
/** `ep:12`, `shop/fact:3`: numbers that the memory gave, never a word of a person. */
const NUMBERED = /^(?:[A-Za-z0-9][\w.-]{0,63}\/)?[a-z]{1,12}:\d{1,15}$/;
const MOST = 20;

/** Ids of the items that an input names, without words: entities and concepts are called by words. */
export function idsIn(input: object): readonly string[] {
  return Object.entries(input)
    .filter(([field]) => NAMING_FIELD.test(field))
    .flatMap(([, value]) => (Array.isArray(value) ? value.slice(0, MOST) : [value]))
    .filter((value): value is string => typeof value === "string" && NUMBERED.test(value))
    .slice(0, MOST);
}
