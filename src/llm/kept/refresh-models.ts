import { readPublished } from "./published-models.ts";
import type { ServiceNotes } from "./service-notes.ts";

/** Larger files are not what is asked for. */
const MOST_BYTES = 32_000_000;
const PATIENCE_MS = 20_000;

export interface RefreshOptions {
  readonly notes: ServiceNotes;
  /** Of the published table. */
  readonly url: string;
  /** The service by its name in the table. */
  readonly name: string;
  /** Over the proxy, and without a person's headers. */
  readonly fetch: typeof globalThis.fetch;
}

/**
 * Fetches what is published of a service's models, at most once a day, whatever comes of it. Never
 * rejects: what is bundled holds where nothing came.
 */
export async function refreshModels({ notes, url, name, fetch }: RefreshOptions): Promise<void> {
  if (!notes.isOld) return;
  notes.noteModels(undefined);
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(url, { signal, redirect: "error" });
    if (!response.ok || Number(response.headers.get("content-length") ?? 0) > MOST_BYTES) {
      await response.body?.cancel();
      return;
    }
    const models = readPublished(await textWithin(response), name);
    if (Object.keys(models).length > 0) notes.noteModels(models);
  } catch {
    // There is no network, or what came is of another form.
  }
}

async function textWithin(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > MOST_BYTES) throw new Error("too long");
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}
