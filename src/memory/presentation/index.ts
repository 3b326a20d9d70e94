/** Separate entry point for surfaces that render records without loading the engine. */
export {
  type DescribedField,
  FIELD_DESCRIPTIONS,
  formatProperty,
  listLineProperties,
  listProperties,
  type Presentable,
  type Property,
  type PropertyKind,
} from "./described-fields.ts";
