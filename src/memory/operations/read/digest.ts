import { z } from "zod";
import { shortenLine } from "../../../shared/text.ts";
import { parseMoment } from "../../../shared/time.ts";
import { DIGEST_PARTS, type DigestOfAuthor, digestOfAuthor } from "../../digest/digest.schema.ts";
import { loadDigest } from "../../digest/load-digest.ts";
import { momentField } from "../../filters/moment-field.ts";
import { nameForModel } from "../../presentation/quote-for-model.ts";
import { defineOperation } from "../define-operation.ts";

const YESTERDAY = "yesterday";

export const digest = defineOperation({
  name: "digest",
  summary: "Say what was learned, changed, contradicted and forgotten in a time, by author",
  description: "Of yesterday, unless another time is given. What was undone since is left out.",
  kind: "read",
  input: z.strictObject({
    since: momentField("start").describe("Not before: yesterday (the default), 2026-03-31, 7d."),
    until: momentField("end").describe(
      "Not after, in the same forms; default: now, and the end of the day where no `since` is given.",
    ),
    limit: z.number().int().min(1).max(200).default(10).describe("Items that each part names."),
  }),
  output: z.object({
    since: z.string(),
    until: z.string(),
    authors: z.array(digestOfAuthor),
  }),
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/digest" },
  cli: {
    group: "Inspection",
    command: "recap",
    example: "cairn recap\ncairn recap --since 7d",
  },
  present: ({ authors, since, until }) => ({
    text: toldOf(authors, since, until),
    summary: authors.length === 1 ? "1 author" : `${authors.length} authors`,
  }),
  async run({ tx, now }, { since, until, limit }) {
    const at = new Date(now);
    const isGiven = since !== undefined || until !== undefined;
    const from = parseMoment(since ?? (until === undefined ? YESTERDAY : EVER), "start", at);
    const to = until ?? (isGiven ? undefined : YESTERDAY);
    const end = to === undefined ? now : parseMoment(to, "end", at);
    return {
      since: from,
      until: end,
      authors: await loadDigest(tx, { since: from, until: end, most: limit }),
    };
  },
});

const EVER = "1970-01-01";
const LINE_CHARS = 110;

function toldOf(authors: readonly DigestOfAuthor[], since: string, until: string): string {
  const time = `${since.slice(0, 16).replace("T", " ")} to ${until.slice(0, 16).replace("T", " ")}`;
  if (authors.length === 0) return `Nothing was written from ${time}.`;
  return [`From ${time}:`, ...authors.flatMap(linesOf)].join("\n");
}

function linesOf(one: DigestOfAuthor): string[] {
  const parts = DIGEST_PARTS.filter((name) => one[name].count > 0).flatMap((name) => {
    const { count, items } = one[name];
    const more = count - items.length;
    return [
      `  ${name} ${count}`,
      ...items.map(
        ({ id, text }) => `    ${id}  ${nameForModel(shortenLine(text ?? "gone", LINE_CHARS))}`,
      ),
      ...(more > 0 ? [`    and ${more} more`] : []),
    ];
  });
  const changes = one.changes === 1 ? "1 change" : `${one.changes} changes`;
  return ["", `${nameForModel(one.author)}, ${changes}`, ...parts];
}
