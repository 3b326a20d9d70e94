import { createInterface } from "node:readline";
import { connectServer } from "../../../src/agent/mcp-servers/connect-server.ts";
import { LoginStore } from "../../../src/agent/mcp-servers/login-store.ts";
import { mcpServerSettings } from "../../../src/agent/mcp-servers/server-settings.ts";

/** Child process: connects with stored credentials and calls `add` once per input line. */
const [logins = "", url = ""] = process.argv.slice(2);
const connection = await connectServer({
  name: "desk",
  version: "0.0.0",
  settings: mcpServerSettings.parse({ url }),
  projectRoot: process.cwd(),
  environment: {},
  variables: {},
  wrapCommand: () => Promise.reject(new Error("no command is run")),
  logins: new LoginStore(logins),
  onOffer: () => undefined,
  onClose: () => undefined,
  signal: new AbortController().signal,
});
console.log("ready");
for await (const _line of createInterface({ input: process.stdin })) {
  const { content } = await connection.client.callTool({ name: "add", arguments: { a: 2, b: 3 } });
  console.log(JSON.stringify(content));
}
await connection.close();
