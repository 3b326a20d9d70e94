import { z } from "zod";
import { ENTITY_TYPES } from "../input/parse-entity.ts";

/** One of the nine entity types, in any case. */
export const entityTypeField = z.preprocess(
  (value) => (typeof value === "string" ? value.toLowerCase() : value),
  z.enum(ENTITY_TYPES),
);
