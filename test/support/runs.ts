/** `npm run test:slow` plays the properties that take long many times more often. */
const TIMES = Number(process.env.TEST_RUNS ?? 1);

/** How often a property is tried: few in the suite, more in the long run. */
export const runs = (few: number): number => few * TIMES;
