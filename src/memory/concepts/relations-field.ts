import { z } from "zod";
import { withMeta } from "../../shared/fields.ts";
import { nameField, strengthField } from "../input/fields.ts";

const relation = z.strictObject({
  type: nameField,
  target_id: withMeta(z.string().min(1), { names: "concept" }),
  strength: strengthField.default(1),
});

/** Accepts `[{type, target_id, strength}]` or its JSON text; strength 0..1, default 1. */
export const relationsField = z.preprocess((value, context) => {
  if (typeof value !== "string") return value;
  if (value.trim() === "") return [];
  try {
    return JSON.parse(value);
  } catch {
    context.addIssue({
      code: "custom",
      message: "must be a JSON array of {type, target_id, strength}",
    });
    return z.NEVER;
  }
}, z.array(relation).max(1000));
