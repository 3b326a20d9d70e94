import { createForm } from "../../src/memory/changeset/changeset-form.ts";
import type { Operation } from "../../src/memory/index.ts";

/** JSON of the syntax of each op, for the playground of the documentation, which has no schemas. */
export function renderChangesetForms(operations: ReadonlyMap<string, Operation>): string {
  const forms = [...operations.values()].flatMap(({ changeset, input }) =>
    changeset === undefined ? [] : [createForm(changeset, input)],
  );
  return `${JSON.stringify(forms, null, 2)}\n`;
}
