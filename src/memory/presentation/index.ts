/**
 * A door of its own for surfaces that draw records and must not load the engine: the page and the
 * terminal.
 */
export {
  DESCRIBED,
  type DescribedField,
  lineOf,
  type Presentable,
  type Property,
  type PropertyKind,
  propertiesOf,
  wordsOf,
} from "./described-fields.ts";
