import type { CommandLine } from "../command-line.ts";
import { appOptions } from "../open-app.ts";
import { version } from "../version.ts";
import { findAgent } from "./find-agent.ts";
import { servesPage } from "./find-server.ts";
import { openBrowser } from "./open-browser.ts";

interface Shown {
  /** The part of the page below the database, such as `item/ep%3A3`; default: its start. */
  readonly path?: string;
  /** Whether the page must have the agent of this project. */
  readonly withAgent?: boolean;
}

/** Shows the page of a running server. If none runs, starts one and never resolves. */
export async function showPage(
  line: CommandLine,
  options: Readonly<Record<string, unknown>>,
  { path = "", withAgent = false }: Shown,
): Promise<number> {
  const { print: printsOnly, ...given } = options;
  const [{ createApp, serveMemory }, { urlHost }] = await Promise.all([
    import("../../app/index.ts"),
    import("../../server/http/index.ts"),
  ]);
  const app = createApp(appOptions(line, given));
  const { settings, paths, dataDir, database } = app.config;
  await app.close();
  const show = async (server: string, link: string | undefined) => {
    const below = path === "" ? "" : `/${path}`;
    // After the #, the secret reaches neither the server nor any log.
    const secret = link === undefined ? "" : `#agent=${link}`;
    const url = `${server}/ui/${encodeURIComponent(database.name)}${below}${secret}`;
    line.stdout.write(given.json === true ? `${JSON.stringify({ url })}\n` : `${url}\n`);
    if (printsOnly === true || (await openBrowser(url, { env: line.env }))) return;
    line.stderr.write("cairn: no browser was found; open the address above in one\n");
  };
  const server = `http://${urlHost(settings.host)}:${settings.port}`;
  const known = withAgent
    ? await findAgent(dataDir, {
        cwd: paths.projectRoot,
        ...(given.port !== undefined && { url: server }),
      })
    : undefined;
  if (known !== undefined) {
    await show(known.url, known.link);
    return 0;
  }
  const isThere = settings.port !== 0 && (await servesPage(server));
  const isOthers =
    isThere && withAgent && (await findAgent(dataDir, { url: server })) !== undefined;
  if (isThere && !(isOthers && given.port === undefined)) {
    await show(server, undefined);
    if (withAgent) line.stderr.write(noAgentAt(server));
    return 0;
  }
  return serveMemory({
    ...appOptions(line, { ...given, ui: true, ...(isThere && { port: 0 }) }),
    version: version(),
    withAgent,
    onListening: show,
  });
}

function noAgentAt(server: string): string {
  return `cairn: the server at ${server} has no agent for this project; \`cairn ui --port 0\` starts one that has\n`;
}
