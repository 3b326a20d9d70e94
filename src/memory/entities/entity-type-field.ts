import { z } from "zod";
import { ENTITY_TYPES } from "../input/parse-entity.ts";

export const entityTypeField = z.preprocess(
  (value) => (typeof value === "string" ? value.toLowerCase() : value),
  z.enum(ENTITY_TYPES),
);
