import { invalidInput } from "../../shared/errors.ts";
import { parseInteger } from "../../shared/parse-field.ts";
import type { ScopeArgument } from "./define-scope.ts";

/** A whole number of at least `least` after the colon. */
export function countArgument(
  scope: string,
  argument: Pick<ScopeArgument, "name" | "optional">,
  least: number,
): ScopeArgument {
  return {
    ...argument,
    form: `<${argument.name}>`,
    check(text) {
      if (parseInteger(text, scope) >= least) return;
      throw invalidInput(`${scope} must be at least ${least}, not ${text}.`);
    },
  };
}
