import {
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { listResources, listResourceTemplates, namedBy, readResource } from "./resources.ts";
import { requireNoCursor, rpcError } from "./rpc-error.ts";
import type { Serving } from "./serving.ts";
import { ResourceSubscriptions } from "./subscriptions.ts";

/**
 * Answers what is asked about resources, and tells the client of changes until `isStillLetIn` says no.
 */
export function serveResources(serving: Serving, isStillLetIn: () => Promise<boolean>): void {
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
      const contents = await notes.during({ operation: method, input: namedBy(uri) }, () =>
        readResource(serving.memory, uri, call),
      );
      return { contents: [contents] };
    } catch (error) {
      throw rpcError(error, logger, { uri });
    }
  });
  let made: ResourceSubscriptions | undefined;
  const subscriptions = () => {
    made ??= new ResourceSubscriptions({
      memory: serving.memory,
      caller,
      logger,
      tell: async (uri) =>
        (await isStillLetIn()) ? server.sendResourceUpdated({ uri }) : server.close(),
    });
    return made;
  };
  server.onclose = () => made?.close();
  server.setRequestHandler(SubscribeRequestSchema, async ({ method, params: { uri } }) => {
    try {
      await notes.during({ operation: method, input: namedBy(uri) }, () =>
        subscriptions().add(uri),
      );
    } catch (error) {
      throw rpcError(error, logger, { uri });
    }
    return {};
  });
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    made?.remove(params.uri);
    return {};
  });
}
