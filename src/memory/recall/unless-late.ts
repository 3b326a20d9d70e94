import { isTimeUp } from "../../database/index.ts";

/** A step of a search; what stands in for it where time is up before it is done. */
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
