import { createThreadHost } from "../../../src/agent/index.ts";

/** Started as a process of its own: sends one message and never ends by itself. */
const options = JSON.parse(process.argv[2] ?? "{}");
const host = await createThreadHost({ ...options, environment: process.env });
host.subscribe((event) => process.stdout.write(`${JSON.stringify(event)}\n`));
await host.create({ threadId: "killed" });
await host.send("killed", process.argv[3] ?? "go");
setInterval(() => undefined, 1000);
