/**
 * A module that re-exports the library, so that the bundle keeps its names when it is loaded on
 * demand.
 */
export { parse, stringify } from "yaml";
