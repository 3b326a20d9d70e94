/** Separate entry point for surfaces that render records without loading the engine. */
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
