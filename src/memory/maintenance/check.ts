import type { Database, Tx } from "../../database/index.ts";
import { askOwnProcess, ProcessEnded } from "../../shared/own-process.ts";
import type { Progress } from "../context/execute-options.ts";
import type { Problem } from "../context/problem.ts";

/** Something that is wrong with a database. */
export interface Finding {
  /** Name of the check that found it. */
  readonly check: string;
  readonly problem: string;
  /** Number of items it concerns. */
  readonly count: number;
  /** A few of these, by id. */
  readonly examples: readonly string[];
  /** True if `repair` can mend it. */
  readonly fixable: boolean;
}

export interface Check {
  readonly name: string;
  readonly about: string;
  /** True if all of it follows from other rows, so that `fix` helps whatever the damage. */
  readonly isDerived?: boolean;
  find(tx: Tx): Promise<readonly Problem[]>;
  fix?(tx: Tx): Promise<void>;
}

export interface DoctorQuestion {
  readonly task: "diagnose" | "repair" | "makeIndexesAnew";
  readonly path: string;
  readonly name: string;
}

const DOCTOR = new URL("./doctor.child.ts", import.meta.url);

/**
 * Does a doctor's work on a database in a process of its own where long work is done apart, and else
 * by `here`, as where no process can be started. It consists of long statements, which would hold up
 * everything else of this process.
 */
export async function inDoctorProcess<Answer>(
  database: Database,
  question: Omit<DoctorQuestion, "path">,
  { work, here }: { readonly work: DoctorWork; readonly here: () => Promise<Answer> },
): Promise<Answer> {
  const path = database.fileWorkedOnApart;
  if (path === undefined) return here();
  const { signal, onProgress } = work;
  const onNote = (note: unknown) => onProgress?.(note as Progress);
  try {
    // The process does what `here` does, and JSON holds its answer as it is.
    return (await askOwnProcess(DOCTOR, { ...question, path }, { signal, onNote })) as Answer;
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
