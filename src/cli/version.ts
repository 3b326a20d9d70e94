import { packageDescription } from "../shared/package.ts";

/** Version of this package. */
export function version(): string {
  return packageDescription().version;
}

/** Name under which this package is published. */
export function packageName(): string {
  return packageDescription().name;
}
