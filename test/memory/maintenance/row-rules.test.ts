import { getTableColumns } from "drizzle-orm";
import { expect, it } from "vitest";
import { concepts } from "../../../src/memory/concepts/concept.table.ts";
import { episodes } from "../../../src/memory/episodes/episode.table.ts";
import { checkRow } from "../../../src/memory/maintenance/row-rules.ts";

/** Times, and ids and words that the database or the table itself checks. */
const CHECKED_ELSEWHERE = /(_at|_id|^priority|^public_id)$/;

const COLUMNS = [episodes, concepts].flatMap((table) =>
  Object.values(getTableColumns(table))
    .filter(({ dataType, name }) => dataType === "string" && !CHECKED_ELSEWHERE.test(name))
    .map(({ name }) => [table === episodes ? "episodes" : "concepts", name] as const),
);

it.each(COLUMNS)(
  "refuses half a character in %s.%s of a file that is imported",
  (table, column) => {
    const row = {
      ...(table === "episodes"
        ? { content: "a", episode_type: "fact", metadata: null, source_type: null, session: null }
        : { title: "a", summary: "", type: "rule", tags: [] }),
      ...(table === "episodes" && { asserted_by: null, source_ref: null }),
      [column]: "\ud800",
    };
    expect(
      () => checkRow(table, row, { contentBytes: 1000, changesetOps: 10, proposalDays: 60 }),
      `src/memory/maintenance/row-rules.ts, ${column}`,
    ).toThrow(column);
  },
);
