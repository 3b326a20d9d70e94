import type { Texts } from "../data/drafts.ts";
import type { OperationForm } from "./operation-form.ts";

/** Replaces a fact by a new one that is written with it: two ops, one change. */
export const SUPERSEDE_FORM: OperationForm = {
  name: "supersede_by",
  summary: "Replace a fact with a new one; the old one becomes history",
  op: "supersede",
  fields: [
    { name: "old", kind: "text", names: "fact", isRequired: true, about: "No longer valid." },
    {
      name: "content",
      kind: "text",
      isRequired: true,
      isLong: true,
      about: "The new fact, in a full sentence.",
    },
    {
      name: "entities",
      kind: "textList",
      about: "Comma-separated type:name. Default: those of the old fact.",
    },
    { name: "asserted_by", kind: "text", about: "Author." },
    { name: "source_ref", kind: "text", about: "Link to the source." },
    { name: "note", kind: "text", about: "Reason." },
  ],
};

export function supersedeOps(texts: Texts): object[] {
  const given = (name: string) => {
    const text = (texts[name] ?? "").trim();
    return text === "" ? {} : { [name]: text };
  };
  const { old = "" } = texts;
  return [
    {
      op: "remember",
      episode_type: "fact",
      as: "fresh",
      ...given("content"),
      ...given("entities"),
      ...given("asserted_by"),
      ...given("source_ref"),
    },
    { op: "supersede", old: old.trim(), new: "$fresh", ...given("note") },
  ];
}
