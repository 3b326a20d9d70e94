import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { type MemoryServer, serveMemory } from "../../support/memory-server.ts";
import { type OpenedPage, openPage, startBrowser } from "./browser.ts";

export interface ServedPage {
  readonly server: MemoryServer;
  readonly browser: Browser;
  /** Returns the URL of a path of the page, e.g. `shop/inbox`. */
  at(path: string): string;
  open(path: string): Promise<OpenedPage>;
}

export function setUpServedPage(): ServedPage {
  const begun: { server?: MemoryServer; browser?: Browser } = {};
  beforeAll(async () => {
    begun.server = await serveMemory();
    begun.browser = await startBrowser();
  });
  afterAll(async () => {
    await begun.browser?.close();
    await begun.server?.end();
  });
  const served: ServedPage = {
    get server() {
      return known(begun.server);
    },
    get browser() {
      return known(begun.browser);
    },
    at: (path) => `${served.server.url}/ui/${path}`,
    open: (path) => openPage(served.browser, served.at(path)),
  };
  return served;
}

function known<One>(one: One | undefined): One {
  if (one === undefined) throw new Error("The tests of this block have not begun.");
  return one;
}
