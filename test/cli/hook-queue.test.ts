import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { createApp, openQueue, runQueuedWork } from "../../src/app/index.ts";
import { processTurn, storeCaptured } from "../../src/ingest/capture/index.ts";
import { silentLogger } from "../../src/shared/logger.ts";
import { type CliFolders, createCliFolders, runInProcess } from "../support/run-cli.ts";

const end = (folders: CliFolders, session: string, ...texts: string[]) => {
  const path = join(folders.home, `${session}.jsonl`);
  const records = texts.map((text) =>
    JSON.stringify({ type: "user", message: { role: "user", content: text } }),
  );
  writeFileSync(path, records.join("\n"));
  const stdin = JSON.stringify({
    session_id: session,
    cwd: folders.project,
    transcript_path: path,
  });
  return runInProcess(folders, ["hook", "claude-code", "session-end", "--debug"], { stdin });
};

async function contents(folders: CliFolders): Promise<string[]> {
  const { stdout } = await runInProcess(folders, ["list", "episodes", "--json"]);
  return JSON.parse(stdout).episodes.map(({ content }: { content: string }) => content);
}

const waiting = (folders: CliFolders) =>
  readdirSync(join(folders.dataDir, "queue")).filter((name) => name.endsWith(".json"));

/** Locks the database like another writer and returns a function that unlocks it. */
function lockDatabase(folders: CliFolders): () => void {
  const other = new Database(join(folders.dataDir, "default.db"));
  other.exec("BEGIN EXCLUSIVE");
  return () => other.close();
}

it("queues captured content while the database is locked and stores it once later", {
  tags: ["long"],
}, async () => {
  const folders = createCliFolders();
  await runInProcess(folders, ["remember", "We ship on Tuesdays."]);
  const letGo = lockDatabase(folders);
  const { code } = await end(folders, "s1", "Always use pnpm, never npm.");
  expect(code).toBe(0);
  await end(folders, "s2", "We decided to keep Redis.");
  expect(await contents(folders)).toEqual(["We ship on Tuesdays."]);
  // Two jobs per session: the capture and the conversation.
  expect(waiting(folders)).toHaveLength(4);
  letGo();
  await end(folders, "s3", "nothing to keep");
  const stored = [
    "We decided to keep Redis.",
    "Always use pnpm, never npm.",
    "We ship on Tuesdays.",
  ];
  expect(await contents(folders)).toEqual(stored);
  expect(waiting(folders)).toEqual([]);
  await end(folders, "s1", "Always use pnpm, never npm.");
  expect(await contents(folders)).toEqual(stored);
});

function appOf(folders: CliFolders) {
  const flags = { dataDir: folders.dataDir, embeddingProvider: "none" };
  return createApp({
    flags,
    reader: "model",
    env: { HOME: folders.home },
    cwd: folders.project,
    logger: silentLogger,
  });
}

it.each(["before it wrote", "after it wrote"])(
  "writes once if a process ended %s",
  async (moment) => {
    const folders = createCliFolders();
    mkdirSync(folders.dataDir, { recursive: true });
    const app = appOf(folders);
    try {
      const queue = openQueue(app);
      const job = queue.add("captured", {
        client: "codex",
        session: "s1",
        db: "default",
        sessionFile: join(folders.dataDir, "hook-sessions", "codex-s1.json"),
        candidates: [
          {
            kind: "files",
            episodeType: "observation",
            content: "Files changed: a.ts.",
            entities: ["file:a.ts"],
            assertedBy: "assistant",
          },
        ],
      });
      const ended = new Error("ended");
      const breakOff = (): never => {
        throw ended;
      };
      // The session file is written last. A folder at its path makes that fail.
      const { sessionFile } = job.payload as { readonly sessionFile: string };
      if (moment === "after it wrote") mkdirSync(sessionFile, { recursive: true });
      const first = storeCaptured(job, (db) =>
        moment === "before it wrote" ? breakOff() : app.store.open(db),
      );
      await expect(first).rejects.toThrow(moment === "before it wrote" ? "ended" : "EISDIR");
      rmSync(sessionFile, { recursive: true, force: true });
      expect(queue.length).toBe(1);
      expect(await runQueuedWork(app)).toBe(1);
      const memory = app.store.open();
      expect(await memory.execute("list_episodes", {})).toMatchObject({ total: 1 });
      expect((await memory.execute("changes", {})).changes).toHaveLength(1);
    } finally {
      await app.close();
    }
  },
);

it("stores a turn once if the process ended after reading it", async () => {
  const folders = createCliFolders();
  mkdirSync(folders.dataDir, { recursive: true });
  const transcriptPath = join(folders.home, "s1.jsonl");
  const content = "Always use pnpm, never npm.";
  writeFileSync(
    transcriptPath,
    JSON.stringify({ type: "user", message: { role: "user", content } }),
  );
  const app = appOf(folders);
  try {
    const sessionFile = join(folders.dataDir, "hook-sessions", "codex-s1.json");
    const turn = { client: "codex", session: "s1", db: "default", cwd: folders.project };
    const { payload } = openQueue(app).add("turn", { ...turn, sessionFile, transcriptPath });
    await processTurn(payload, openQueue(app));
    // The captured job is queued. Without the session file, its progress is lost and the turn job
    // remains.
    rmSync(sessionFile);
    expect(openQueue(app).length).toBe(2);
    await runQueuedWork(app);
    expect(openQueue(app).length).toBe(0);
    const memory = app.store.open();
    expect(await memory.execute("list_episodes", {})).toMatchObject({
      total: 1,
      episodes: [{ content }],
    });
    expect((await memory.execute("changes", {})).changes).toHaveLength(1);
  } finally {
    await app.close();
  }
});
