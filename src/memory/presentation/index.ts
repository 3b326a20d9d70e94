/** Separate entry point for surfaces that render records without loading the engine. */
export {
  DESCRIBED,
  type DescribedField,
  getLine,
  getProperties,
  getWords,
  type Presentable,
  type Property,
  type PropertyKind,
} from "./described-fields.ts";
