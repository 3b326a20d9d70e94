import { didYouMean } from "../../shared/nearest.ts";
import { listField } from "./fields.ts";

/** A list of known names; another one is an error that names the nearest. */
export function namesOf<const Name extends string>(names: readonly Name[]) {
  const named = listField.transform((given, context): Name[] =>
    given.flatMap((name) => {
      const known = names.find((one) => one === name || `${one}s` === name);
      if (known !== undefined) return [known];
      context.addIssue({
        code: "custom",
        message: `"${name}" is none of ${names.join(", ")}.${didYouMean(name, names)}`,
      });
      return [];
    }),
  );
  const one = `(${names.join("|")})s?`;
  const pattern = `^ *(${one})?( *, *(${one})?)* *$`;
  const items = { type: "string", pattern: `^${one}$` };
  return named.meta({
    anyOf: [
      { type: "string", pattern },
      { type: "array", items },
    ],
  });
}
