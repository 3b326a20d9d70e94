/** Separate entry point for surfaces that render records without loading the engine. */
export {
  DESCRIBED,
  type DescribedField,
  formatProperty as getWords,
  listLineProperties as getLine,
  listProperties as getProperties,
  type Presentable,
  type Property,
  type PropertyKind,
} from "./described-fields.ts";
