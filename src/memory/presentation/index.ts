/**
 * A door of its own for surfaces that draw records and must not load the engine: the page and the
 * terminal.
 */
export { DESCRIBED, type DescribedField, type PropertyKind } from "./described-fields.ts";
export { lineOf, type Presentable, type Property, propertiesOf, wordsOf } from "./properties-of.ts";
