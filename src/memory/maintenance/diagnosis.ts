import type { Progress } from "../context/execute-options.ts";
import type { Finding } from "./check.ts";

export interface Diagnosis {
  readonly ok: boolean;
  readonly checks: readonly {
    readonly name: string;
    readonly about: string;
    readonly ok: boolean;
  }[];
  readonly findings: readonly Finding[];
}

export interface DoctorWork {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}
