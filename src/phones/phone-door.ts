import { OneTimeLinks } from "../access/index.ts";
import type { ThreadHost } from "../agent/index.ts";
import {
  type AnsweredRequest,
  callerOf,
  createGuardedApp,
  createRequestGuard,
  type HttpServer,
  type HttpSettings,
  logRequest,
  type OnUpgradeAnswer,
  type RequestGuard,
  readTls,
  startHttpServer,
} from "../server/http/index.ts";
import { addPhonePage, isPhonePageRequest } from "../server/page/index.ts";
import { type AgentDoor, openAgentDoor } from "../server/ui/index.ts";
import type { Logger } from "../shared/logger.ts";
import type { KeptPhones } from "./kept-phones.ts";
import { addressesOf } from "./own-addresses.ts";
import { nameOfPhone } from "./phone-name.ts";
import { requireForPhone } from "./phone-rights.ts";
import { WrongTries } from "./wrong-tries.ts";

/** What waits in memory for a decision that is made on the computer. */
export interface WaitingInMemory {
  readonly conflicts: readonly WaitingItem[];
  readonly proposals: readonly WaitingItem[];
}

interface WaitingItem {
  readonly id: string;
  /** What is said; of a conflict both. */
  readonly says: readonly string[];
}

export interface PhoneDoorOptions {
  readonly host: ThreadHost;
  readonly phones: KeptPhones;
  readonly settings: PhoneSettings;
  readonly logger: Logger;
  readonly waitingInMemory: () => Promise<WaitingInMemory>;
  /** Is told of everything that is asked here; default: nobody is. */
  readonly watch?: DoorWatch | undefined;
}

/** Where one of these fails, its error is the answer. */
export interface DoorWatch {
  /** Before anybody is let in. */
  readonly onArrival: () => void;
  readonly onAnswer: (answered: AnsweredRequest) => Promise<void>;
  readonly onUpgradeAnswer: OnUpgradeAnswer;
}

export type PhoneSettings = Pick<
  HttpSettings,
  "phonePort" | "phoneUrl" | "tlsCert" | "tlsKey" | "limits" | "logRequests"
>;

/** How somebody pairs a phone. */
export interface Wanted {
  /** Undefined: after what it is. */
  readonly name?: string | undefined;
  /** `30d`; undefined: the usual time. */
  readonly expires?: string | undefined;
}

/** The address at which paired phones are let in. */
export interface PhoneDoor {
  /** As phones open it. */
  readonly url: string;
  /** Where it listens itself. */
  readonly port: number;
  /** An address that pairs the first phone which opens it. */
  makeLink(wanted: Wanted): { readonly url: string; readonly until: Date };
  close(): Promise<void>;
}

const SESSION = "/phone/session";
/** A phone sends words for one answer at most; bytes. */
const BODY_BYTES = 64 * 1024;

/**
 * Listens for phones, on an address and port of their own: there is nothing behind it but the page for phones
 * and the questions, whatever token somebody brings. Throws what `startHttpServer` and `readTls` throw.
 */
export async function openPhoneDoor(
  address: string,
  options: PhoneDoorOptions,
): Promise<PhoneDoor> {
  const { host, phones, settings, logger, watch } = options;
  const { limits, phonePort: port, logRequests } = settings;
  const tls = readTls(settings);
  const guard = guardOfPhones(address, options);
  const onUpgradeAnswer = watch?.onUpgradeAnswer;
  const door = openAgentDoor({
    host,
    guard,
    limits,
    logger,
    requireMay: requireForPhone,
    onUpgradeAnswer,
  });
  const links = new OneTimeLinks<Wanted>(LINK_WORDS, (message) => logger.warn(message));
  const app = createGuardedApp({
    guard,
    logger,
    bodyBytes: BODY_BYTES,
    requestsAtOnce: limits.requestsAtOnce,
    async onAnswer(answered) {
      if (logRequests) logRequest(logger, answered);
      await watch?.onAnswer(answered);
    },
    async onArrival() {
      watch?.onArrival();
    },
    // Whoever pairs brings a link, which the route looks at; a page holds nothing of what is kept.
    isPublic: (request) => request.path === SESSION || isPhonePageRequest(request),
  });
  const tries = new WrongTries();
  app.post(SESSION, (c) => {
    const link = /^bearer +(\S+)$/i.exec(c.req.header("authorization") ?? "")?.[1] ?? "";
    const wanted = useLink(links, tries, link);
    const { name = nameOfPhone(c.req.header("user-agent") ?? ""), expires } = wanted;
    const { token, expires_at } = phones.add(name, host.info.cwd, expires);
    logger.info(`The phone "${name}" was paired; \`cairn pair revoke ${name}\` takes it back.`);
    return c.json({ name, token, expires_at });
  });
  app.get("/phone/me", (c) => c.json({ name: callerOf(c).name, project: host.info.cwd }));
  app.get("/phone/waiting", async (c) => c.json(await options.waitingInMemory()));
  addPhonePage(app);
  door.addSocketRoute(app);
  const server = await startHttpServer({
    app,
    host: address,
    port,
    tls,
    needsToken: true,
    command: "ui for phones",
    portFlag: "--phone-port",
    onUpgrade: door.onUpgrade,
    announce: (line) => logger.info(line),
  });
  return opened({ address, server, door, links, settings });
}

const LINK_WORDS = {
  refusal:
    "This link was opened before or is too old: make another one on the computer, `cairn pair`.",
  warning:
    "A link that pairs a phone was opened a second time. If that was not you, look at `cairn pair list` and revoke what you do not know.",
};

interface Parts {
  readonly address: string;
  readonly server: HttpServer;
  readonly door: AgentDoor;
  readonly links: OneTimeLinks<Wanted>;
  readonly settings: PhoneSettings;
}

function opened({ address, server, door, links, settings }: Parts): PhoneDoor {
  const [first = address] = addressesOf(address);
  const here = new URL(server.url);
  here.hostname = first;
  const url = (settings.phoneUrl ?? here.origin).replace(/\/+$/, "");
  return {
    url,
    port: server.port,
    makeLink(wanted) {
      const { link, until } = links.make(wanted);
      // After the #, the secret reaches neither a server nor any log.
      return { url: `${url}/phone#pair=${link}`, until };
    },
    async close() {
      await door.close();
      await server.close(0);
    },
  };
}

/** Phones alone, and of the memory's rights they have none: what a route asks for otherwise means nothing. */
function guardOfPhones(
  address: string,
  { host, phones, settings }: PhoneDoorOptions,
): RequestGuard {
  const proxy = settings.phoneUrl === undefined ? undefined : new URL(settings.phoneUrl);
  const guard = createRequestGuard({
    host: address,
    alsoNamed: addressesOf(address),
    isSecure: settings.tlsCert !== undefined,
    ...(proxy !== undefined && { allowHost: [proxy.hostname], allowOrigin: [proxy.origin] }),
    holders: {
      isClosed: () => Promise.resolve(true),
      holderOf: async (token) => phones.holderOf(token, host.info.cwd),
    },
  });
  return { ...guard, check: (facts, _needed, onKnown) => guard.check(facts, "metrics", onKnown) };
}

/** Throws busy where too many were wrong, unauthorized for one that is not good. */
function useLink(links: OneTimeLinks<Wanted>, tries: WrongTries, link: string): Wanted {
  tries.require();
  try {
    return links.use(link);
  } catch (error) {
    tries.note();
    throw error;
  }
}
