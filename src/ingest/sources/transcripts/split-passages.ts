import { shorten } from "../../../shared/text.ts";
import {
  findCommand,
  findErrorLine,
  hasFailed,
  listEditedFiles,
  pairToolCalls,
  type ReadMark,
  readFromMark,
  recordKey,
  START_MARK,
  type ToolUse,
  type TranscriptRecord,
} from "../../capture/index.ts";
import { findPaths } from "../../learning/index.ts";
import type { ReadPassage, SourceBatch } from "../store-source.ts";

interface ToolSummary {
  readonly text: string;
  readonly files: readonly string[];
}

const COMMAND_CHARACTERS = 200;
const MAX_FILES = 20;

function summarizeTools(
  uses: readonly ToolUse[],
  { cwd, failed }: { readonly cwd: string; readonly failed: Set<string> },
): ToolSummary | undefined {
  const files = [...new Set(uses.flatMap(({ call }) => listEditedFiles(call, cwd)))];
  const commands = uses.flatMap((use) => formatCommandLine(use, failed) ?? []);
  const listed = files.slice(0, MAX_FILES);
  const more = files.length > listed.length ? ` and ${files.length - listed.length} more` : "";
  const lines = [
    ...(listed.length === 0 ? [] : [`Changed ${listed.join(", ")}${more}.`]),
    ...new Set(commands),
  ];
  return lines.length === 0 ? undefined : { text: lines.join("\n"), files: listed };
}

function formatCommandLine({ call, result }: ToolUse, failed: Set<string>): string | undefined {
  const command = findCommand(call);
  if (command === undefined || command === "" || result === undefined) return undefined;
  const quoted = `\`${shorten(command.replaceAll(/\s+/g, " "), COMMAND_CHARACTERS)}\``;
  if (hasFailed(result) === true) {
    failed.add(command);
    const reason = findErrorLine(result.text);
    return reason === "" ? `${quoted} failed.` : `${quoted} failed: ${reason}`;
  }
  return failed.delete(command) ? `${quoted} passed.` : undefined;
}

/** Longer texts are split at paragraphs so that each part can be found by its content. */
const MAX_PASSAGE_CHARACTERS = 2000;

export interface SessionContext {
  readonly cwd: string;
  readonly now: string;
  readonly before: number;
}

export function createPassages(
  records: readonly TranscriptRecord[],
  location: SessionContext,
): ReadPassage[] {
  const failed = new Set<string>();
  const passages: ReadPassage[] = [];
  let cwd = location.cwd;
  let lastAt: string | undefined;
  let doing: { readonly records: TranscriptRecord[]; readonly key: string } | undefined;
  const finishDoing = () => {
    if (doing === undefined) return;
    const uses = pairToolCalls(doing.records.flatMap(({ entries }) => [...entries]));
    const summary = summarizeTools(uses, { cwd, failed });
    const branch = doing.records.at(-1)?.branch;
    if (summary !== undefined) {
      passages.push({
        key: `${doing.key}/tools`,
        role: "tool",
        by: "assistant",
        text: summary.text,
        files: [...summary.files],
        ...(branch !== undefined && { branch }),
        occurred_at: lastAt ?? location.now,
      });
    }
    doing = undefined;
  };
  for (const [index, record] of records.entries()) {
    cwd = record.cwd ?? cwd;
    lastAt = record.at ?? lastAt;
    const key = recordKey(record, location.before + index);
    for (const [part, entry] of record.entries.entries()) {
      if (entry.kind !== "said") {
        doing ??= { records: [], key };
        continue;
      }
      const { text } = entry;
      finishDoing();
      for (const [piece, partText] of splitParts(text).entries()) {
        passages.push({
          key: [key, ...(part > 0 || piece > 0 ? [part] : []), ...(piece > 0 ? [piece] : [])].join(
            "/",
          ),
          role: "turn",
          by: entry.by,
          text: partText,
          files: [...findPaths(partText)],
          ...(record.branch !== undefined && { branch: record.branch }),
          occurred_at: lastAt ?? location.now,
        });
      }
    }
    doing?.records.push({
      ...record,
      entries: record.entries.filter(({ kind }) => kind !== "said"),
    });
  }
  finishDoing();
  return passages;
}

export function splitParts(text: string): string[] {
  if (text.length <= MAX_PASSAGE_CHARACTERS) return [text];
  const parts: string[] = [];
  let part = "";
  for (const paragraph of splitParagraphs(text)) {
    if (part !== "" && part.length + paragraph.length + 2 > MAX_PASSAGE_CHARACTERS) {
      parts.push(part);
      part = "";
    }
    part = part === "" ? paragraph : `${part}\n\n${paragraph}`;
  }
  return part === "" ? parts : [...parts, part];
}

/** Keeps code blocks in one piece, up to the limit. */
function splitParagraphs(text: string): string[] {
  return text
    .split(/(```[\s\S]*?(?:```|$))/)
    .flatMap((piece) => (piece.startsWith("```") ? [piece] : piece.split(/\n{2,}/)))
    .flatMap((piece) => piece.match(BOUNDED_PIECE) ?? [])
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "");
}

/** 200 000 characters have at most 800 KB, less than the limit of a stored text. */
const BOUNDED_PIECE = /[\s\S]{1,200000}/gu;

const MAX_TITLE_CHARACTERS = 80;

export interface SessionFile {
  readonly client: string;
  /** The client's session name; if undefined, the one in the transcript. */
  readonly session?: string | undefined;
  readonly otherwise?: string | undefined;
  readonly path: string;
  readonly cwd: string;
  readonly now: string;
}

/**
 * Reads a transcript from the cursor on. Single-document transcripts are read completely; known
 * keys are skipped.
 */
export async function readSession(
  file: SessionFile,
  cursor: string | undefined,
): Promise<SourceBatch | undefined> {
  const { records, from, next, damaged } = await readFromMark(file.path, parseMark(cursor));
  const before = from.records;
  const passages = createPassages(records, { cwd: file.cwd, now: file.now, before });
  const named = records.map((record) => record.session).find(isNamed);
  const session = file.session ?? named ?? file.otherwise;
  if (session === undefined) return undefined;
  const cwd = records.map((record) => record.cwd).find(isNamed) ?? file.cwd;
  return {
    kind: file.client,
    key: session,
    place: cwd,
    ...(before === 0 && { title: chooseTitle(passages, session) }),
    mark: `${next.offset}:${next.records}`,
    passages,
    ...(damaged > 0 && { omitted: `${damaged} damaged ${damaged === 1 ? "record" : "records"}` }),
  };
}

function parseMark(cursor: string | undefined): ReadMark {
  const [, offset, records] = /^(\d+):(\d+)$/.exec(cursor ?? "") ?? [];
  return offset === undefined || records === undefined
    ? START_MARK
    : { offset: Number(offset), records: Number(records) };
}

function isNamed(name: string | undefined): name is string {
  return name !== undefined && name !== "";
}

function chooseTitle(passages: readonly ReadPassage[], session: string): string {
  const first = passages.find(({ by, role }) => by === "user" && role === "turn");
  return shorten(first?.text.replaceAll(/\s+/g, " ") ?? session, MAX_TITLE_CHARACTERS);
}
