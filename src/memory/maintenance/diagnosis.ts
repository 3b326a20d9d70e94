import type { Finding } from "./check.ts";

export interface Diagnosis {
  /** Nothing was found. */
  readonly ok: boolean;
  readonly checks: readonly {
    readonly name: string;
    readonly about: string;
    readonly ok: boolean;
  }[];
  readonly findings: readonly Finding[];
}
