import { afterEach, expect, it } from "vitest";
import type { PermissionDecision } from "../../../src/agent/index.ts";
import { withAllowedTools } from "../../../src/agent/permission/allowed-tools.ts";
import { agentSettings } from "../../../src/agent/settings.ts";
import { type Harness, startHarness } from "../support/thread-harness.ts";
import { openSite, type TestSite } from "./support.ts";

let harness: Harness | undefined;
let site: TestSite;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
  await site.close();
});

async function start(
  { permission = {}, allowed }: { readonly permission?: object; readonly allowed?: string },
  ...paths: readonly string[]
) {
  site = await openSite((request, response) =>
    request.url === "/away"
      ? response.writeHead(302, { location: `http://other.test:${site.port}/b` }).end()
      : response.writeHead(200, { "content-type": "text/plain" }).end(`page ${request.url}`),
  );
  const calls = paths.map((path) => ({
    toolCalls: [{ name: "web_fetch", args: { url: path.replace("PORT", `${site.port}`) } }],
  }));
  const settings = agentSettings.parse({ sandbox: false, permission });
  harness = await startHarness({
    surface: "terminal",
    web: site.web,
    answers: [...calls, { text: "done" }],
    settings: withAllowedTools(settings, allowed?.replaceAll("PORT", `${site.port}`)),
  });
  return harness;
}

function answerWith({ host }: Harness, decision: PermissionDecision) {
  const requests: string[] = [];
  host.permission.attach((notice) => {
    if (notice.type !== "permission.ask") return;
    const { threadId, questionId, title, always, reason } = notice.question;
    requests.push(`${title} · ${reason} · ${always.join()}`);
    host.permission.answer(threadId, questionId, { decision });
  });
  return requests;
}

const results = ({ model }: Harness) =>
  (model.requests.at(-1)?.body.messages ?? [])
    .filter(({ role }) => role === "tool")
    .map(({ content }) => String(content));

const A = "http://docs.test:PORT/a";

it("prompts for each host in every mode, also plan, and names it", async () => {
  for (const mode of ["plan", "ask", "edits", "auto"]) {
    const started = await start({ permission: { mode } }, A);
    const requests = answerWith(started, "once");
    await started.say("read it");
    const host = `docs.test:${site.port}`;
    expect(requests).toEqual([`http://${host}/a · it reaches the network · web_fetch ${host}`]);
    expect(results(started)[0]).toContain("page /a");
    await started.close();
    await site.close();
  }
  await start({});
});

it("prompts once per host and session, and again for a redirect's host", async () => {
  const other = "http://other.test:PORT/b";
  const started = await start(
    {},
    A,
    "http://docs.test:PORT/away",
    "http://docs.test:PORT/b",
    other,
  );
  const requests = answerWith(started, "session");
  await started.say("read them");
  expect(requests.map((line) => new URL(line.split(" ")[0] ?? "").hostname)).toEqual([
    "docs.test",
    "other.test",
  ]);
  expect(site.requests).toEqual(["docs.test/a", "docs.test/away", "docs.test/b", "other.test/b"]);
});

it("sends no request after a denial or without a user to prompt", async () => {
  const refused = await start({}, A);
  answerWith(refused, "no");
  await refused.say("read it");
  expect(results(refused)[0]).toContain("The user rejected this call");
  expect(site.requests).toEqual([]);
  expect(site.lookups).toEqual([]);
  await refused.close();
  await site.close();
  const alone = await start({}, A);
  await alone.say("read it");
  expect(results(alone)[0]).toContain("it reaches the network, and no user is available to ask");
  expect(site.requests).toEqual([]);
});

it.each([
  ["web_fetch(docs.test:PORT)", true],
  ["web_fetch(*.test:PORT)", true],
  ["network(docs.test:PORT)", true],
  ["web_fetch", true],
  ["web_fetch(other.test:PORT)", false],
  ["web_fetch(docs.test)", false],
  ["shell", false],
])("reads without a user if --allowed-tools %s permits it: %s", async (allowed, isAllowed) => {
  const started = await start({ allowed }, A);
  await started.say("read it");
  expect(site.requests).toEqual(isAllowed ? ["docs.test/a"] : []);
});

it("normalizes host names: a trailing dot bypasses no rule", async () => {
  const rules = [
    { tool: "web_fetch", action: "allow" },
    { tool: "network", pattern: "docs.test*", action: "deny" },
  ];
  const started = await start(
    { permission: { rules } },
    "http://docs.test.:PORT/a",
    "http://DOCS.test:PORT/a",
  );
  await started.say("read it");
  expect(site.requests).toEqual([]);
});
