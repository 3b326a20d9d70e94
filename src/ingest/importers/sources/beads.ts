import { z } from "zod";
import { invalidInput } from "../../../shared/errors.ts";
import { readJsonLines } from "../formats/json-lines.ts";
import { validateRecords } from "../formats/json-records.ts";
import { parseTime, timeField } from "../formats/parse-time.ts";
import { type ImportInput, peekText } from "../import-input.ts";
import type { ImportedRecord, Importer } from "../imported-record.ts";

const FILES = ["issues.jsonl", "beads.jsonl"];

const issue = z.looseObject({
  id: z.string().min(1),
  title: z.string(),
  description: z.string().nullish(),
  design: z.string().nullish(),
  acceptance_criteria: z.string().nullish(),
  notes: z.string().nullish(),
  status: z.string().nullish(),
  priority: z.number().nullish(),
  issue_type: z.string().nullish(),
  assignee: z.string().nullish(),
  external_ref: z.string().nullish(),
  created_at: timeField,
  closed_at: timeField,
  close_reason: z.string().nullish(),
  labels: z.array(z.string()).nullish(),
  dependencies: z
    .array(z.looseObject({ depends_on_id: z.string(), type: z.string().nullish() }))
    .nullish(),
  comments: z
    .array(
      z.looseObject({
        id: z.union([z.number(), z.string()]).optional(),
        author: z.string().nullish(),
        text: z.string(),
        created_at: timeField,
      }),
    )
    .nullish(),
});

type Issue = z.output<typeof issue>;

/** Beads tasks, with design rationale and outcome. */
export const beads: Importer = {
  name: "beads",
  summary: "Beads: .beads/issues.jsonl, or the folder .beads",
  async recognizes(input) {
    if (input.isFolder) return (await issuesIn(input)) !== undefined;
    const [first = ""] = (await peekText(input)).split("\n");
    return (
      /"issue_type"\s*:/.test(first) &&
      /"title"\s*:/.test(first) &&
      /"(?:status|priority)"\s*:/.test(first)
    );
  },
  async *read(input) {
    const file = input.isFolder ? await issuesIn(input) : input;
    if (file === undefined) throw invalidInput(`file: ${input.label} contains no issues.jsonl`);
    for await (const line of readJsonLines(file)) {
      if (line.kind === "skipped") {
        yield line;
        continue;
      }
      for (const item of validateRecords([line.value], "issue", issue)) {
        if (item.kind === "skipped") yield { ...item, where: line.where };
        else yield* readIssue(item.value);
      }
    }
  },
};

async function issuesIn(folder: ImportInput): Promise<ImportInput | undefined> {
  const files = await folder.files([".jsonl"]);
  return files.find(
    ({ label }) => FILES.includes(label) || FILES.some((name) => label === `.beads/${name}`),
  );
}

function* readIssue(record: Issue): Generator<ImportedRecord> {
  const occurredAt = parseTime(record.closed_at ?? record.created_at);
  const isClosed = record.status === "closed";
  const sections: readonly (readonly [string, string | null | undefined])[] = [
    ["", record.description],
    ["Design", record.design],
    ["Accepted when", record.acceptance_criteria],
    ["Notes", record.notes],
    ["Closed", isClosed ? record.close_reason : undefined],
  ];
  const descriptions = sections.flatMap(([name, text]) =>
    text == null || text.trim() === "" ? [] : [name === "" ? text : `${name}: ${text}`],
  );
  yield {
    kind: "episode",
    id: record.id,
    content: [record.title, ...descriptions].join("\n\n"),
    type: isClosed ? "outcome" : "observation",
    labels: [
      ...(record.status ? [{ key: "status", value: record.status }] : []),
      ...(record.issue_type ? [{ key: "issue", value: record.issue_type }] : []),
      ...(record.labels ?? []).map((value) => ({ key: "label", value })),
    ],
    metadata: {
      ...(record.priority != null && { priority: record.priority }),
      ...(record.dependencies?.length && {
        dependencies: record.dependencies.map(({ depends_on_id: on, type }) => ({
          on,
          type: type ?? "blocks",
        })),
      }),
    },
    sourceRef: record.external_ref || record.id,
    ...(record.assignee && { assertedBy: record.assignee }),
    ...(occurredAt !== undefined && { occurredAt }),
    ...(record.status === "tombstone" && { deleted: true }),
  };
  for (const [index, comment] of (record.comments ?? []).entries()) {
    const at = parseTime(comment.created_at);
    if (comment.text.trim() === "") continue;
    yield {
      kind: "episode",
      id: `${record.id}/comment/${comment.id ?? index + 1}`,
      content: comment.text,
      metadata: { comment_on: record.id },
      sourceRef: record.id,
      ...(comment.author && { assertedBy: comment.author }),
      ...(at !== undefined && { occurredAt: at }),
    };
  }
}
