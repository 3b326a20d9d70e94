import { z } from "zod";
import type { RecordedAgent } from "../../app/index.ts";
import type { CommandLine } from "../command-line.ts";
import { appOptions } from "../command-line.ts";
import { version } from "../version.ts";
import { openBrowser } from "./open-browser.ts";

const health = z.looseObject({ ok: z.literal(true), version: z.string(), read_only: z.boolean() });

/** Timeout in milliseconds for a server on this machine. */
const TIMEOUT_MS = 2_000;

/** True if a `cairn serve` with a page runs at this address, with or without a token. */
export async function hasPage(url: string): Promise<boolean> {
  const request = (path: string) =>
    fetch(url + path, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: "manual" });
  try {
    const answer = await request("/health");
    const isCairn = answer.status === 401 || health.safeParse(await answer.json()).success;
    if (!isCairn) return false;
    const page = await request("/ui/");
    return page.ok && (await page.text()).includes("<title>cairn</title>");
  } catch {
    return false;
  }
}

const linkResponse = z.looseObject({ link: z.string() });

/** Creates a secret that admits one page to this agent; undefined if its server is gone. */
async function createLink({ url, secret }: RecordedAgent): Promise<string | undefined> {
  try {
    const answer = await fetch(`${url}/agent/links`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: "manual",
    });
    return answer.ok ? linkResponse.parse(await answer.json()).link : undefined;
  } catch {
    // The agent was killed, or another program uses its port.
    return undefined;
  }
}

interface PageOptions {
  /** Page path below the database, such as `item/ep%3A3`. */
  readonly path?: string;
  /** Requires the project's agent in the page. */
  readonly withAgent?: boolean;
}

/** Opens the page of a running server; otherwise starts one and never resolves. */
export async function showPage(
  line: CommandLine,
  options: Readonly<Record<string, unknown>>,
  { path = "", withAgent = false }: PageOptions,
): Promise<number> {
  const { print: printsOnly, ...flags } = options;
  const [{ createApp, serveMemory }, { urlHost }] = await Promise.all([
    import("../../app/index.ts"),
    import("../../server/http/index.ts"),
  ]);
  const app = createApp(appOptions(line, flags));
  const { settings, paths, dataDir, database } = app.config;
  await app.close();
  const show = async (server: string, link: string | undefined) => {
    const below = path === "" ? "" : `/${path}`;
    // The fragment is neither sent to the server nor logged.
    const secret = link === undefined ? "" : `#agent=${link}`;
    const url = `${server}/ui/${encodeURIComponent(database.name)}${below}${secret}`;
    line.stdout.write(flags.json === true ? `${JSON.stringify({ url })}\n` : `${url}\n`);
    if (printsOnly === true || (await openBrowser(url, { env: line.env }))) return;
    line.stderr.write("cairn: no browser was found; open the URL above\n");
  };
  const server = `http://${urlHost(settings.host)}:${settings.port}`;
  const known = withAgent
    ? await findAgent(dataDir, {
        cwd: paths.projectRoot,
        ...(flags.port !== undefined && { url: server }),
      })
    : undefined;
  if (known !== undefined) {
    await show(known.url, known.link);
    return 0;
  }
  const isThere = settings.port !== 0 && (await hasPage(server));
  const isOthers =
    isThere && withAgent && (await findAgent(dataDir, { url: server })) !== undefined;
  if (isThere && !(isOthers && flags.port === undefined)) {
    await show(server, undefined);
    if (withAgent) line.stderr.write(describeMissingAgent(server));
    return 0;
  }
  return serveMemory({
    ...appOptions(line, { ...flags, ...(isThere && { port: 0 }) }),
    version: version(),
    withAgent,
    onListening: show,
  });
}

function describeMissingAgent(server: string): string {
  return `cairn: the server at ${server} has no agent for this project; \`cairn ui --port 0\` starts a server with one\n`;
}

/** This user's agent with a running page, and a single-use secret. */
interface FoundAgent {
  readonly url: string;
  readonly link: string;
}

async function findAgent(
  dataDir: string,
  filter: { readonly cwd?: string; readonly url?: string },
): Promise<FoundAgent | undefined> {
  const { readRecordedAgents: readNotedAgents } = await import("../../app/index.ts");
  for (const recorded of readNotedAgents(dataDir)) {
    const { cwd = recorded.cwd, url = recorded.url } = filter;
    if (recorded.cwd !== cwd || recorded.url !== url) continue;
    const link = await createLink(recorded);
    if (link !== undefined) return { url, link };
  }
  return undefined;
}
