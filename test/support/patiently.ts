/** A busy or slow machine may take longer: `TEST_PATIENCE=3 npm test`. */
export const PATIENCE = Number(process.env.TEST_PATIENCE ?? 1);

/** A limit in milliseconds that a quiet machine is far from, for a machine as busy as this one. */
export const patiently = (ms: number): number => ms * PATIENCE;
