import { isTimeUp } from "../../database/index.ts";

/** Additional milliseconds for loading the found items after the time limit. */
export const GRACE_MS = 8;

export async function withinDeadline<Result, Other>(
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
