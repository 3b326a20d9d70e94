import { z } from "zod";
import { withTrust } from "../shared/fields.ts";

const MEBIBYTE = 1024 * 1024;

/** Begins at the root or in the home folder: a server is started in any folder. */
const WHOLE_PATH = /^(~?[/\\]|[A-Za-z]:[/\\])/;
const path = z.string().regex(WHOLE_PATH, "A whole path, or one that begins with ~/.").optional();

/** What a server notes of its callers: a part of the config file of whoever runs it. */
export const auditSettings = withTrust(
  z.strictObject({
    file: path.describe(
      "`cairn serve` notes here who asked for what and was let in or refused, a JSON line each; unset: nowhere.",
    ),
    head: path.describe(
      "Where the last entry is noted a second time, best where others cannot write; default: in the config folder.",
    ),
    required: z
      .boolean()
      .default(true)
      .describe(
        "Requests are refused while nothing can be noted; `false`: they are answered, and the log, `/health` and the next entry say so.",
      ),
    partBytes: z
      .number()
      .int()
      .min(64 * 1024)
      .default(8 * MEBIBYTE)
      .describe("Size at which another file is begun."),
    parts: z
      .number()
      .int()
      .min(1)
      .default(100)
      .describe("Earlier files that are kept; the oldest goes when another is begun."),
  }),
  { file: "trusted", head: "trusted", required: "trusted", partBytes: "trusted", parts: "trusted" },
);

export type AuditSettings = z.output<typeof auditSettings>;
