/** `npm run test:slow` multiplies the runs of long property tests. */
const TIMES = Number(process.env.TEST_RUNS ?? 1);

/** Number of runs of a property: few by default, more in the slow run. */
export const scaleRuns = (few: number): number => few * TIMES;
