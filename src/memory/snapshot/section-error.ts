import { CairnError, type ErrorBody } from "../../shared/errors.ts";

export function throwIfFailed(section: { readonly error?: unknown }): void {
  if (section.error === undefined) return;
  const { code, message, details } = section.error as ErrorBody;
  throw new CairnError(code, message, details);
}
