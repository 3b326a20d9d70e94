import { FORMS } from "../data/forms.ts";
import { isAbout } from "../workbench/form-values.ts";
import { titleOfForm } from "../workbench/operation-form.ts";
import { SUPERSEDE_FORM } from "../workbench/supersede-form.ts";
import type { Action } from "./action.ts";

const ELSEWHERE = new Set(["label", "delete", "set_topic", "processed"]);

const KEYS: Readonly<Record<string, readonly string[]>> = { remember: ["c"] };

export const WRITE_ACTIONS: readonly Action[] = [
  {
    id: "supersede",
    title: "Supersede",
    about: SUPERSEDE_FORM.summary,
    group: "Write",
    keys: ["s"],
    isWrite: true,
    applies: (_page, { ids }) => ids.length === 1 && /^(fact|ep):\d+$/.test(ids[0] ?? ""),
    run: ({ actions }, { ids }) => {
      actions.overlay.value = { kind: "write", form: SUPERSEDE_FORM.name, ids };
    },
  },
  ...FORMS.filter(({ name }) => !ELSEWHERE.has(name)).map(
    (form): Action => ({
      id: `write-${form.name}`,
      title: titleOfForm(form),
      about: form.summary,
      group: "Write",
      isWrite: true,
      ...(KEYS[form.name] && { keys: KEYS[form.name] }),
      ...(form.erases && { isDestructive: true }),
      run: ({ actions }, { ids }) => {
        const given = isAbout(form, ids) ? ids : [];
        actions.overlay.value = { kind: "write", form: form.name, ids: given };
      },
    }),
  ),
];

const OF_THE_ITEM = /^(label$|set_topic$|processed$|delete|restore|update)/;

/** The actions whose forms are about items like these. */
export function writesAbout(ids: readonly string[]): string[] {
  return FORMS.filter((form) => !OF_THE_ITEM.test(form.name) && isAbout(form, ids)).map(
    ({ name }) => `write-${name}`,
  );
}
