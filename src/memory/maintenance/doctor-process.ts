import type { Database } from "../../database/index.ts";
import { askOwnProcess, ProcessEnded } from "../../kernel/own-process.ts";
import type { Progress } from "../context/execute-options.ts";
import type { Diagnosis, DoctorWork } from "./diagnosis.ts";

/** What the doctor's process is asked. */
export interface DoctorQuestion {
  readonly task: "diagnose" | "repair";
  /** Of the database's file. */
  readonly path: string;
  /** Of the memory. */
  readonly name: string;
}

const DOCTOR = new URL("./doctor.child.ts", import.meta.url);

/**
 * Looks over a database in a process of its own where its long work is done apart, and else by
 * `here`, as where no process can be started. Its checks are long statements, which would hold up
 * everything else of this process.
 */
export async function inDoctorProcess(
  database: Database,
  question: Omit<DoctorQuestion, "path">,
  { work, here }: { readonly work: DoctorWork; readonly here: () => Promise<Diagnosis> },
): Promise<Diagnosis> {
  const path = database.fileWorkedOnApart;
  if (path === undefined) return here();
  const { signal, onProgress } = work;
  const onNote = (note: unknown) => onProgress?.(note as Progress);
  try {
    const told = await askOwnProcess(DOCTOR, { ...question, path }, { signal, onNote });
    return told as Diagnosis;
  } catch (error) {
    if (!(error instanceof ProcessEnded)) throw error;
    return here();
  }
}
