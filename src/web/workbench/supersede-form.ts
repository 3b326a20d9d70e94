import type { Texts } from "../data/drafts.ts";
import type { OperationForm } from "./operation-form.ts";

/** Replaces a fact by a new one that is written with it: two ops, one change. */
export const SUPERSEDE_FORM: OperationForm = {
  name: "supersede_by",
  summary: "Say what holds instead of a fact; the old one becomes history",
  op: "supersede",
  fields: [
    { name: "old", kind: "text", names: "fact", isRequired: true, about: "No longer holds." },
    {
      name: "content",
      kind: "text",
      isRequired: true,
      isLong: true,
      about: "What holds instead, in a full sentence.",
    },
    { name: "entities", kind: "textList", about: "About the same things, unless you change it." },
    { name: "asserted_by", kind: "text", about: "Who says so." },
    { name: "source_ref", kind: "text", about: "Link to where it stands." },
    { name: "note", kind: "text", about: "Why." },
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
