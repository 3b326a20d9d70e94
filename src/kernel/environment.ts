/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The one place that reads `process.env`; everything else is handed what it needs. */
export function processEnvironment(): Environment {
  return { ...process.env };
}
