import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { type ActionOf, ActionRegistry } from "./actions/action-registry.ts";
import { AgentHolder } from "./agent/agent-holder.ts";
import { Client } from "./data/client.ts";
import { Drafts } from "./data/drafts.ts";
import { Preferences } from "./data/preferences.ts";
import { QueryCache } from "./data/query-cache.ts";
import { Session } from "./data/session.ts";
import { Toasts } from "./data/toasts.ts";
import { LiveFeed, Writer } from "./data/writer.ts";
import { LayoutWorker } from "./map/layout-worker.ts";
import { Router } from "./routing/router.ts";

export interface Page {
  readonly router: Router;
  readonly session: Session;
  readonly client: Client;
  readonly live: LiveFeed;
  readonly cache: QueryCache;
  readonly toasts: Toasts;
  readonly drafts: Drafts;
  readonly writer: Writer;
  readonly preferences: Preferences;
  readonly layoutWorker: LayoutWorker;
  readonly agent: AgentHolder;
  readonly actions: ActionRegistry<Page>;
}

export function createPage(actions: readonly ActionOf<Page>[]): Page {
  const router = new Router();
  const session = new Session();
  const client = new Client(session);
  const live = new LiveFeed(client, session);
  const toasts = new Toasts();
  return {
    router,
    session,
    client,
    live,
    toasts,
    drafts: new Drafts(),
    cache: new QueryCache(client),
    writer: new Writer(client, live, toasts),
    preferences: new Preferences(),
    layoutWorker: new LayoutWorker(),
    agent: new AgentHolder(session),
    actions: new ActionRegistry(actions),
  };
}

export const PageContext = createContext<Page | undefined>(undefined);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === undefined) throw new Error("usePage requires a PageContext.");
  return page;
}
