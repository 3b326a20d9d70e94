import { invalidInput } from "../../../shared/errors.ts";
import { didYouMean } from "../../../shared/nearest.ts";
import { databaseParameter } from "../../http/index.ts";
import type { ToolChoice } from "../tools/exposed-tools.ts";

export interface McpChoices extends ToolChoice {
  readonly db: string | undefined;
}

const PARAMETERS = ["db", "interface", "tools", "structured"];

/** `?db=&interface=&tools=&structured=`, as the flags of `cairn mcp`. Throws invalid_input. */
export function readChoices(query: URLSearchParams): McpChoices {
  for (const parameter of query.keys()) {
    if (PARAMETERS.includes(parameter)) continue;
    throw invalidInput(
      `unknown query parameter "${parameter.slice(0, 80)}".${didYouMean(parameter, PARAMETERS)}`,
    );
  }
  return {
    db: databaseParameter(query),
    interface: oneOf(query, "interface", ["a", "b"]),
    tools: oneOf(query, "tools", ["all", "core"]),
    structured: oneOf(query, "structured", ["0", "1"]) === "1",
  };
}

/** The first value is the default. */
function oneOf<const Value extends string>(
  query: URLSearchParams,
  name: string,
  values: readonly [Value, ...Value[]],
): Value {
  const given = query.getAll(name);
  if (given.length === 0) return values[0];
  const value = values.find((known) => known === given[0]);
  if (given.length > 1 || value === undefined) {
    throw invalidInput(`${name}: must be ${values.join(" or ")}, given once.`);
  }
  return value;
}
