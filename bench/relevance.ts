/**
 * Writes the features of every episode that recall considers for the questions of several
 * collections, each with its relevance label, as JSON lines. `fit-relevance.ts` fits the score on
 * them.
 *
 *   npx tsx bench/relevance.ts OUT.jsonl [--notes FILE]... [--locomo FILE]... [--ir FILE]...
 */

import { createHash } from "node:crypto";
import { createWriteStream, readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import type { MemoryEngine } from "../src/memory/index.ts";
import { parseLocomo } from "./support/parse-locomo.ts";
import {
  createDefaultEmbedder,
  withFilledMemory,
  withMemoryOf,
} from "./support/temporary-memory.ts";

const CONSIDERED = 60;

const { values: given, positionals } = parseArgs({
  options: {
    notes: { type: "string", multiple: true, default: [] },
    locomo: { type: "string", multiple: true, default: [] },
    ir: { type: "string", multiple: true, default: [] },
    every: { type: "string", default: "1" },
  },
  allowPositionals: true,
});
const [path] = positionals;
if (path === undefined)
  throw new Error(
    "usage: bench/relevance.ts OUT.jsonl [--notes FILE]... [--locomo FILE]... [--ir FILE]...",
  );
const out = createWriteStream(path);
const embedder = createDefaultEmbedder();
const every = Number(given.every);

interface Note {
  readonly id: string;
  readonly session: string;
  readonly day: string;
  readonly by: string;
  readonly type: string;
  readonly entities: string;
  readonly text: string;
  readonly supersedes?: string;
}

interface NoteQuestion {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
  readonly want: readonly string[];
  readonly ok: readonly string[];
  readonly stale: readonly string[];
}

for (const file of given.notes) {
  const { projects } = JSON.parse(readFileSync(file, "utf8")) as {
    projects: readonly {
      name: string;
      memories: readonly Note[];
      questions: readonly NoteQuestion[];
    }[];
  };
  for (const project of projects) await askNotes(project);
}
for (const file of given.locomo) {
  for (const { id, episodes, questions } of parseLocomo(JSON.parse(readFileSync(file, "utf8")))) {
    await withMemoryOf(embedder, episodes, async (memory) => {
      for (const [index, question] of questions.entries()) {
        if (index % every !== 0) continue;
        const expected = new Set(question.evidence);
        await ask(
          memory,
          {
            set: setOf(file),
            project: id,
            id: `${index}`,
            kind: String(question.category),
            text: question.text,
          },
          (ref) => (expected.has(ref) ? 2 : 0),
          expected.size,
        );
      }
    });
  }
}
for (const file of given.ir) {
  const collection = JSON.parse(readFileSync(file, "utf8")) as {
    docs: { id: string | number; text: string }[];
    queries: { query: string; relevant: (string | number)[] }[];
  };
  const episodes = collection.docs
    .filter(({ text }) => text.trim() !== "")
    .map(({ id, text }) => ({ content: text, source_ref: String(id) }));
  await withMemoryOf(embedder, episodes, async (memory) => {
    for (const [index, { query, relevant }] of collection.queries.entries()) {
      if (index % every !== 0) continue;
      const expected = new Set(relevant.map(String));
      await ask(
        memory,
        { set: setOf(file), project: "", id: `${index}`, kind: "ir", text: query },
        (ref) => (expected.has(ref) ? 2 : 0),
        expected.size,
      );
    }
  });
}
await embedder.close();
out.end();

async function askNotes(project: {
  name: string;
  memories: readonly Note[];
  questions: readonly NoteQuestion[];
}) {
  const name = createHash("sha256")
    .update(JSON.stringify(project.memories) + embedder.identity)
    .digest("hex")
    .slice(0, 16);
  await withFilledMemory(
    { name: `notes-${name}`, embedder, fill: (memory) => fill(memory, project.memories) },
    async (memory) => {
      for (const question of project.questions) {
        const want = new Set(question.want);
        const ok = new Set(question.ok);
        const stale = new Set(question.stale);
        const label = (ref: string) =>
          want.has(ref) ? 2 : ok.has(ref) ? 1 : stale.has(ref) ? -1 : 0;
        await ask(
          memory,
          {
            set: "notes",
            project: project.name,
            id: question.id,
            kind: question.kind,
            text: question.text,
          },
          label,
          want.size,
        );
      }
    },
  );
}

async function fill(memory: MemoryEngine, notes: readonly Note[]) {
  const facts = new Map<string, string>();
  for (const note of notes) {
    const made = await memory.execute("remember", {
      content: note.text,
      episode_type: note.type,
      entities: note.entities.split(","),
      asserted_by: note.by,
      session: note.session,
      occurred_at: `${note.day}T10:00:00Z`,
      source_ref: note.id,
    } as never);
    const fact = /fact:\d+/.exec(JSON.stringify(made))?.[0];
    if (fact !== undefined) facts.set(note.id, fact);
    if (note.supersedes !== undefined && fact !== undefined && facts.has(note.supersedes)) {
      await memory.execute("apply", {
        changeset: `supersede old=${facts.get(note.supersedes)} new=${fact}`,
      });
    }
  }
  await memory.makeMissingVectors();
}

interface Asked {
  set: string;
  project: string;
  id: string;
  kind: string;
  text: string;
}

async function ask(
  memory: MemoryEngine,
  asked: Asked,
  label: (ref: string) => number,
  wanted: number,
) {
  const { episodes, explain } = await memory.execute("recall", {
    query: asked.text,
    k: 0,
    episode_k: CONSIDERED,
    explain: true,
    min_score: 0,
  });
  const items = episodes.map(
    ({ source_ref: ref, score, explain: parts, episode_type: type, content }) => {
      const { contributions: _, ...measures } = parts ?? ({} as never);
      return { ref, label: label(ref ?? ""), score, type, ...measures, length: content.length };
    },
  );
  out.write(
    `${JSON.stringify({ ...asked, wanted, words: explain?.words.length ?? 0, certainty: explain?.certainty, items })}\n`,
  );
}

function setOf(file: string): string {
  return basename(file).replace(/-?dev|\.json/g, "");
}
