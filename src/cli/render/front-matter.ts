/** Loaded by the commands that need it; a module of ours, since a bundle has no names for another. */
export { parse, stringify } from "yaml";
