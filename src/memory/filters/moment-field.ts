import { z } from "zod";
import { withMeta } from "../../shared/fields.ts";
import { parseMoment } from "../../shared/time.ts";

export function createMomentField(side: "start" | "end") {
  return withMeta(
    z
      .string()
      .superRefine((text, context) => {
        try {
          parseMoment(text, side, new Date(0));
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error);
          context.addIssue({ code: "custom", message });
        }
      })
      .optional(),
    {},
  );
}
