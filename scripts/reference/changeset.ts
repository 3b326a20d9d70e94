import type { ChangesetExposure } from "../../src/memory/changeset/changeset-form.ts";
import { createForm } from "../../src/memory/changeset/changeset-form.ts";
import { isRequired, type Operation } from "../../src/memory/index.ts";
import { renderTable } from "./markdown.ts";

/** Renders the reference of changeset lines from the operations that have an op. */
export function renderChangeset(operations: ReadonlyMap<string, Operation>): string {
  const sections = Array.from(operations.values()).flatMap((operation) =>
    operation.changeset === undefined ? [] : [renderSection(operation, operation.changeset)],
  );
  return [INTRODUCTION, ...sections].join("\n");
}

const INTRODUCTION = `# Ops of a changeset

<!-- Generated from src/memory/operations by \`npm run docs\`. -->

The keys of every op. A star marks a required key. [The guide](../guides/changeset.md) describes the syntax.
`;

function renderSection({ name, summary, input }: Operation, exposure: ChangesetExposure): string {
  const form = createForm(exposure, input);
  const aliases = Object.entries(exposure.aliases ?? {});
  const fields = [...new Set(Object.values(form.keys))];
  const rows = fields.map((field) => {
    const short = aliases.filter(([, named]) => named === field).map(([alias]) => alias);
    const isGiven = isRequired(input.shape[field]);
    return [
      [field, ...short].map((key) => `\`${key}\``).join(", ") + (isGiven ? " *" : ""),
      KINDS[form.types?.[field] ?? "text"] ?? form.types?.[field] ?? "text",
      describePosition(field, form),
    ];
  });
  const naming = exposure.nameless === true ? "" : " `as=name` names the created item.";
  return [
    `## ${exposure.op}\n`,
    `${summary}; the operation [${name}](operations.md#${name}).${naming}\n`,
    renderTable(["key", "kind", ""], rows),
  ].join("\n");
}

/** Documented names of kinds; other kinds use their own name. */
const KINDS: Readonly<Record<string, string>> = { textList: "list", integer: "whole number" };

/** Describes how a value can be written without its key. */
function describePosition(
  field: string,
  { text, bare }: Pick<ChangesetExposure, "text" | "bare">,
): string {
  if (field === text) return "or the quoted text at the end of the line";
  return field === bare ? "or the first word without a key" : "";
}
