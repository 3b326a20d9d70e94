import { invalidInput } from "../../shared/errors.ts";
import { parseInteger } from "../../shared/parse-field.ts";
import type { WriteContext } from "../context/write-context.ts";
import type { FilterPredicate } from "../filters/filter-condition.ts";
import type { FilterInput, RecordFilter } from "../filters/resolve-filter.ts";
import type { SuggestionKind } from "../listing/suggest.ts";
import type { PrepareContext } from "../search/prepare-context.ts";

export interface SectionFilter {
  readonly filterInput: FilterInput;
  readonly parts: RecordFilter;
  readonly predicate: FilterPredicate | undefined;
}

/** A section type, from which description, MCP resources and reference pages are derived. */
export interface Scope<
  Name extends string = string,
  Section extends object = object,
  Prepared = unknown,
> {
  readonly name: Name;
  readonly summary: string;
  readonly argument?: ScopeArgument;
  /** `records`: filters apply to `read`. Otherwise filters are an error, with this reason. */
  readonly filtering: "records" | { readonly nothing: string };
  /** Model work before the transaction; its result is `prepared`. */
  prepare?(context: PrepareContext, argument: string, input: FilterInput): Promise<Prepared>;
  /** `argument` is validated; "" if absent. */
  read(
    context: WriteContext,
    argument: string,
    prepared: Prepared,
    filter: SectionFilter,
  ): Promise<Section>;
}

export interface ScopeArgument {
  readonly form: string;
  readonly optional?: boolean;
  readonly name: string;
  readonly suggests?: SuggestionKind;
  check?(text: string): void;
  readonly runsOnUntil?: "comma" | "commaOrSpace";
}

export function defineScope<const Name extends string, Section extends object, Prepared = unknown>(
  scope: Scope<Name, Section, Prepared>,
): Scope<Name, Section, Prepared> {
  return scope;
}

export function createCountArgument(
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
