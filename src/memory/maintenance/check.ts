import type { Database, Tx } from "../../database/index.ts";
import { ProcessEnded, runOwnProcess } from "../../shared/own-process.ts";
import type { Progress } from "../context/execute-options.ts";
import type { Problem } from "../context/problem.ts";

export interface Finding {
  readonly check: string;
  readonly problem: string;
  readonly count: number;
  readonly examples: readonly string[];
  readonly fixable: boolean;
}

export interface Check {
  readonly name: string;
  readonly about: string;
  /** True if the data can be rebuilt from other rows, so `fix` always works. */
  readonly isDerived?: boolean;
  find(tx: Tx): Promise<readonly Problem[]>;
  fix?(tx: Tx): Promise<void>;
}

export interface DoctorQuestion {
  readonly task: "diagnose" | "repair" | "rebuildSearchIndexes";
  readonly path: string;
  readonly name: string;
}

const DOCTOR_PROGRAM = new URL("./doctor.child.ts", import.meta.url);

/** Runs long statements in a separate process, or with `here` if that is unavailable. */
export async function runInDoctorProcess<Answer>(
  database: Database,
  question: Omit<DoctorQuestion, "path">,
  { work, here }: { readonly work: DoctorWork; readonly here: () => Promise<Answer> },
): Promise<Answer> {
  const path = database.fileWorkedOnApart;
  if (path === undefined) return here();
  const { signal, onProgress } = work;
  const onNote = (note: unknown) => onProgress?.(note as Progress);
  try {
    // The process runs the same code as `here`, and its result survives JSON.
    return (await runOwnProcess(
      DOCTOR_PROGRAM,
      { ...question, path },
      { signal, onNote },
    )) as Answer;
  } catch (error) {
    if (!(error instanceof ProcessEnded)) throw error;
    return here();
  }
}

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
