import { createHash } from "node:crypto";
import {
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { ChangeFeed, type FeedSource, type Memory } from "../../memory/index.ts";
import type { Caller } from "../../shared/caller.ts";
import { CairnError, isCairnError } from "../../shared/errors.ts";
import type { Logger } from "../../shared/logger.ts";
import { listResources, listResourceTemplates, parseName, readResource } from "./resources.ts";
import { requireNoCursor, rpcError } from "./rpc-error.ts";
import type { ServerContext } from "./server-context.ts";

const MAX_ITEMS = 100;

interface SubscriptionsOptions {
  readonly memory: Memory & FeedSource;
  readonly caller: Caller;
  readonly logger: Logger;
  /** Notifies the client; rejects if it has disconnected. */
  readonly notify: (uri: string) => Promise<void>;
}

/**
 * One client's resource subscriptions. Follows the change feed, which covers writes of every
 * process, while there are subscriptions, and notifies the client of changed content after each
 * batch.
 */
class ResourceSubscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #feed: ChangeFeed;
  /** Digest of the content last sent, by URI. */
  readonly #known = new Map<string, string>();
  #following: AbortController | undefined;

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
    this.#feed = new ChangeFeed(options.memory);
  }

  /** Throws the errors of reading the resource, and too_large above the subscription limit. */
  async add(uri: string): Promise<void> {
    if (this.#known.has(uri)) return;
    if (this.#known.size >= MAX_ITEMS) {
      throw new CairnError(
        "too_large",
        `uri: at most ${MAX_ITEMS} concurrent subscriptions are allowed.`,
      );
    }
    // Read the position first so that no write in between is missed.
    const since = await this.#feed.position();
    this.#known.set(uri, await this.#digest(uri));
    if (this.#following === undefined && this.#known.size > 0) this.#follow(since);
  }

  remove(uri: string): void {
    this.#known.delete(uri);
    if (this.#known.size === 0) this.close();
  }

  close(): void {
    this.#known.clear();
    this.#following?.abort();
    this.#following = undefined;
  }

  #follow(sinceSeq: number): void {
    const following = new AbortController();
    this.#following = following;
    this.#notifyOfChanges(sinceSeq, following.signal).catch((error: unknown) => {
      if (following.signal.aborted) return;
      this.#options.logger.warn(`Subscriptions have ended: ${String(error)}`);
      this.close();
    });
  }

  async #notifyOfChanges(sinceSeq: number, signal: AbortSignal): Promise<void> {
    for await (const batch of this.#feed.follow({ sinceSeq, signal })) {
      if (batch.length === 0) continue;
      for (const [uri, before] of [...this.#known]) {
        const now = await this.#digest(uri);
        if (signal.aborted) return;
        if (now === before || !this.#known.has(uri)) continue;
        this.#known.set(uri, now);
        await this.#options.notify(uri);
      }
    }
  }

  /** An unreadable resource counts as changed. */
  async #digest(uri: string): Promise<string> {
    try {
      const { text } = await readResource(this.#options.memory, uri, {
        caller: this.#options.caller,
      });
      return createHash("sha256").update(text).digest("base64");
    } catch (error) {
      if (isCairnError(error) && error.code === "not_found") return "not found";
      throw error;
    }
  }
}

/** Handles resource requests and subscriptions while `isStillAuthorized` is true. */
export function serveResources(
  serving: ServerContext,
  isStillAuthorized: () => Promise<boolean>,
): void {
  const { server, caller, timeoutMs, notes, logger } = serving;
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) => {
    requireNoCursor(params);
    return { resources: listResources(serving.memory.operations) };
  });
  server.setRequestHandler(ListResourceTemplatesRequestSchema, ({ params }) => {
    requireNoCursor(params);
    return { resourceTemplates: listResourceTemplates(serving.memory.operations) };
  });
  server.setRequestHandler(ReadResourceRequestSchema, async ({ method, params }, { signal }) => {
    const call = { caller, signal, timeoutMs };
    const { uri } = params;
    try {
      const contents = await notes.during({ operation: method, input: parseName(uri) }, () =>
        readResource(serving.memory, uri, call),
      );
      return { contents: [contents] };
    } catch (error) {
      throw rpcError(error, logger, { uri });
    }
  });
  let created: ResourceSubscriptions | undefined;
  const subscriptions = () => {
    created ??= new ResourceSubscriptions({
      memory: serving.memory,
      caller,
      logger,
      notify: async (uri) =>
        (await isStillAuthorized()) ? server.sendResourceUpdated({ uri }) : server.close(),
    });
    return created;
  };
  server.onclose = () => created?.close();
  server.setRequestHandler(SubscribeRequestSchema, async ({ method, params: { uri } }) => {
    try {
      await notes.during({ operation: method, input: parseName(uri) }, () =>
        subscriptions().add(uri),
      );
    } catch (error) {
      throw rpcError(error, logger, { uri });
    }
    return {};
  });
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    created?.remove(params.uri);
    return {};
  });
}
