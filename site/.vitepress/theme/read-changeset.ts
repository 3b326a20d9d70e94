import type { ChangesetForm } from "../../../src/memory/changeset/changeset-form.ts";
import { parseChangeset } from "../../../src/memory/changeset/parse-changeset.ts";
import forms from "./changeset-forms.json" with { type: "json" };

const FORMS = new Map((forms as ChangesetForm[]).map((form) => [form.op, form]));

/** What a changeset says, read by the program's own parser. */
export function readChangeset(text: string) {
  const steps = parseChangeset(text, FORMS);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
