import { createThreadHost } from "../../../src/agent/index.ts";

/** Child process: sends its messages and does not exit by itself. */
const options = JSON.parse(process.argv[2] ?? "{}");
const host = await createThreadHost({ ...options, environment: process.env });
host.subscribe((event) => process.stdout.write(`${JSON.stringify(event)}\n`));
await host.create({ threadId: "killed" });
const [first = "go", ...rest] = process.argv.slice(3);
await host.send("killed", first);
// Sends the remaining messages on the first input.
process.stdin.once("data", async () => {
  for (const text of rest) await host.send("killed", text);
});
setInterval(() => undefined, 1000);
