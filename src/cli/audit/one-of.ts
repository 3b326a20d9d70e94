import { invalidInput } from "../../shared/errors.ts";

/** The value of a flag that takes one of a few. Throws invalid_input. */
export function oneOf<const Value extends string>(
  flag: string,
  given: string | undefined,
  values: readonly Value[],
): Value | undefined {
  if (given === undefined) return undefined;
  const value = values.find((known) => known === given);
  if (value === undefined) throw invalidInput(`${flag}: must be one of ${values.join(", ")}.`);
  return value;
}
