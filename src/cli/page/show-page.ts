import type { CommandLine } from "../command-line.ts";
import { appOptions } from "../open-app.ts";
import { version } from "../version.ts";
import { servesPage } from "./find-server.ts";
import { openBrowser } from "./open-browser.ts";

/** `path` is of the page, below the database: `item/ep%3A3`; empty for its beginning. */
export async function showPage(
  line: CommandLine,
  options: Readonly<Record<string, unknown>>,
  path: string,
): Promise<number> {
  const { print: printsOnly, ...given } = options;
  const [{ createApp, serveMemory }, { urlHost }] = await Promise.all([
    import("../../app/index.ts"),
    import("../../http/index.ts"),
  ]);
  const app = createApp(appOptions(line, given));
  const { host, port } = app.config.settings;
  const database = app.config.database.name;
  await app.close();
  const show = async (server: string) => {
    const url = `${server}/ui/${encodeURIComponent(database)}${path === "" ? "" : `/${path}`}`;
    line.stdout.write(given.json === true ? `${JSON.stringify({ url })}\n` : `${url}\n`);
    if (printsOnly === true || (await openBrowser(url, { env: line.env }))) return;
    line.stderr.write("cairn: no browser was found; open the address above in one\n");
  };
  const server = `http://${urlHost(host)}:${port}`;
  if (port !== 0 && (await servesPage(server))) {
    await show(server);
    return 0;
  }
  return serveMemory({
    ...appOptions(line, { ...given, ui: true }),
    version: version(),
    onListening: show,
  });
}
