import { invalidInput } from "../shared/errors.ts";

const TOKEN_NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;

/** Authors that changes have without a token: what stands there must be what it says. */
const TAKEN: readonly string[] = ["cli", "rest", "mcp", "agent", "library", "retention"];

/** The name of a token is the author of what is written with it. Throws invalid_input. */
export function requireTokenName(name: string): void {
  if (!TOKEN_NAME.test(name)) {
    throw invalidInput(
      "name: 1 to 64 letters, digits, dots, underscores, hyphens or @, a letter or digit first",
    );
  }
  if (TAKEN.includes(name.toLowerCase())) {
    throw invalidInput(
      `name: "${name}" is the author of what is written without a token; choose another one`,
    );
  }
}
