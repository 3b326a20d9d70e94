import { shorten } from "../../../shared/text.ts";
import { BEGINNING, type Mark, readFromMark } from "../../capture/index.ts";
import type { ReadPassage, SourceBatch } from "../source-batch.ts";
import { passagesOfRecords } from "./passages-of-records.ts";

const TITLE_CHARACTERS = 80;

export interface SessionFile {
  readonly client: string;
  /** The client's name for the session; undefined: use the transcript's. */
  readonly session?: string | undefined;
  readonly otherwise?: string | undefined;
  /** Absolute path. */
  readonly path: string;
  /** Absolute folder in which the session works. */
  readonly cwd: string;
  /** ISO time. */
  readonly now: string;
}

/**
 * Reads a session's transcript after the mark. A transcript that is a single document is read completely;
 * passages known by their keys are skipped.
 */
export async function readSession(
  file: SessionFile,
  mark: string | undefined,
): Promise<SourceBatch | undefined> {
  const { records, from, next, damaged } = await readFromMark(file.path, parseMark(mark));
  const before = from.records;
  const passages = passagesOfRecords(records, { cwd: file.cwd, now: file.now, before });
  const named = records.map((record) => record.session).find(isNamed);
  const session = file.session ?? named ?? file.otherwise;
  if (session === undefined) return undefined;
  const cwd = records.map((record) => record.cwd).find(isNamed) ?? file.cwd;
  return {
    kind: file.client,
    key: session,
    place: cwd,
    ...(before === 0 && { title: titleOf(passages, session) }),
    mark: `${next.offset}:${next.records}`,
    passages,
    ...(damaged > 0 && { omitted: `${damaged} damaged ${damaged === 1 ? "record" : "records"}` }),
  };
}

function parseMark(mark: string | undefined): Mark {
  const [, offset, records] = /^(\d+):(\d+)$/.exec(mark ?? "") ?? [];
  return offset === undefined || records === undefined
    ? BEGINNING
    : { offset: Number(offset), records: Number(records) };
}

function isNamed(name: string | undefined): name is string {
  return name !== undefined && name !== "";
}

function titleOf(passages: readonly ReadPassage[], session: string): string {
  const first = passages.find(({ by, role }) => by === "user" && role === "turn");
  return shorten(first?.text.replaceAll(/\s+/g, " ") ?? session, TITLE_CHARACTERS);
}
