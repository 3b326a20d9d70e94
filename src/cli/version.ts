import { packageDescription } from "../shared/package.ts";

export function version(): string {
  return packageDescription().version;
}

export function packageName(): string {
  return packageDescription().name;
}
