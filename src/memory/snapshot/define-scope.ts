import { invalidInput } from "../../shared/errors.ts";
import { parseInteger } from "../../shared/parse-field.ts";
import type { WriteContext } from "../context/write-context.ts";
import type { Passing } from "../filters/filter-condition.ts";
import type { GivenFilter, RecordFilter } from "../filters/resolve-filter.ts";
import type { SuggestionKind } from "../listing/suggest.ts";
import type { PrepareContext } from "../search/prepare-context.ts";

export interface SectionFilter {
  readonly given: GivenFilter;
  readonly parts: RecordFilter;
  readonly passing: Passing | undefined;
}

/**
 * One kind of section that a snapshot may hold. The description of `snapshot`, the MCP resources
 * and the reference pages are derived from the list of scopes.
 */
export interface Scope<
  Name extends string = string,
  Section extends object = object,
  Prepared = unknown,
> {
  readonly name: Name;
  readonly summary: string;
  readonly argument?: ScopeArgument;
  /**
   * `records`: filters apply to `read`. Otherwise the reason why they do not, as the end of a
   * sentence; using a filter is then an error.
   */
  readonly narrows: "records" | { readonly nothing: string };
  /** Work that needs a model, before the transaction; its result is `prepared`. */
  prepare?(context: PrepareContext, argument: string, given: GivenFilter): Promise<Prepared>;
  /** `argument` was checked; it is "" where none was given. */
  read(
    context: WriteContext,
    argument: string,
    prepared: Prepared,
    filter: SectionFilter,
  ): Promise<Section>;
}

export interface ScopeArgument {
  /** How a message and the reference show it: `<type>:<name>`. */
  readonly form: string;
  readonly optional?: boolean;
  /** Name of the argument in a resource template. */
  readonly name: string;
  /** The kind of `suggest` that completes it; default: nothing is known in advance. */
  readonly suggests?: SuggestionKind;
  check?(text: string): void;
  readonly runsOnUntil?: "comma" | "commaOrSpace";
}

export function defineScope<const Name extends string, Section extends object, Prepared = unknown>(
  scope: Scope<Name, Section, Prepared>,
): Scope<Name, Section, Prepared> {
  return scope;
}

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
