import { isTimeUp } from "../../database/index.ts";

/** Milliseconds that reading the found items may take after time is up. */
export const GRACE_MS = 8;

/** The result of a step of a search, or `otherwise` if time is up before the step is done. */
export async function unlessLate<Result, Other>(
  { isLate }: { isLate(): boolean },
  step: () => Promise<Result>,
  otherwise: Other,
): Promise<Result | Other> {
  if (isLate()) return otherwise;
  try {
    return await step();
  } catch (error) {
    if (!isTimeUp(error)) throw error;
    return otherwise;
  }
}
