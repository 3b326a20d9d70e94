/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The one place that reads `process.env`; all other code is handed the variables that it needs. */
export function processEnvironment(): Environment {
  return { ...process.env };
}
