import { createReadStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { z } from "zod";
import { exportDatabase } from "../../../memory/index.ts";
import { requireExistingDatabase } from "./databases.ts";
import { defineStoreRoute, downloadSchema } from "./store-route.ts";

const emptyInput = z.strictObject({});

export const exportRoute = defineStoreRoute({
  method: "GET",
  path: "/databases/{name}/export",
  id: "export_database",
  summary: "Export a database as JSON Lines for `cairn import`",
  databases: ({ name }) => [name],
  body: emptyInput,
  output: downloadSchema("application/x-ndjson"),
  serve: async ({ store, name, signal }) => {
    const memory = await requireExistingDatabase(store, name);
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const encoder = new TextEncoder();
    exportDatabase(memory, (chunk) => writer.write(encoder.encode(chunk)), { signal }).then(
      () => writer.close(),
      // The truncated response reports the error to a client that is still connected.
      (error: unknown) => writer.abort(error).catch(() => undefined),
    );
    return createDownload(readable, "application/x-ndjson", `${name}.jsonl`);
  },
});

export const backupRoute = defineStoreRoute({
  method: "GET",
  path: "/databases/{name}/backup",
  id: "backup_database",
  summary: "Download a consistent copy of the SQLite file",
  scope: "admin",
  databases: ({ name }) => [name],
  body: emptyInput,
  output: downloadSchema("application/vnd.sqlite3"),
  async serve({ store, name }) {
    const folder = await mkdtemp(join(tmpdir(), "cairn-backup-"));
    const remove = () => rm(folder, { recursive: true, force: true });
    const file = join(folder, "backup.db");
    try {
      await store.backup(name, file);
      const { size } = await stat(file);
      const stream = createReadStream(file);
      stream.once("close", () => void remove());
      const body = Readable.toWeb(stream) as ReadableStream<Uint8Array>;
      return createDownload(body, "application/vnd.sqlite3", `${name}.db`, size);
    } catch (error) {
      await remove();
      throw error;
    }
  },
});

function createDownload(
  body: ReadableStream<Uint8Array>,
  ...[type, file, size]: [type: string, file: string, size?: number]
): Response {
  return new Response(body, {
    headers: {
      "content-type": type,
      // Database names need no escaping.
      "content-disposition": `attachment; filename="${file}"`,
      "cache-control": "no-store",
      ...(size !== undefined && { "content-length": String(size) }),
    },
  });
}
