// @module-tag long: starts and kills processes.
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { chromium, type Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { openUiServer } from "./ui-server.ts";

const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const browserPath = BROWSERS.find((path) => existsSync(path));

describe.skipIf(browserPath === undefined)("the example client in a real browser", () => {
  it("creates a thread, streams, shows tools, answers a prompt and cancels", async () => {
    const pageServer = await servePage();
    const { host, port } = await openUiServer({ allowOrigin: [pageServer] });
    const page = await openPage(`${pageServer}/#server=ws://127.0.0.1:${port}/ws`);
    await page.getByText("p m in /project, sandbox: off (no bwrap)").waitFor();

    await expect.poll(() => host.threads.size).toBe(1);
    const [threadId = ""] = host.threads.keys();

    await say(page, "hello");
    await expect.poll(() => host.calls).toContainEqual(["send", threadId, "hello"]);
    host.emit(threadId, { type: "status", phase: "running" });
    host.emit(threadId, { type: "assistant.delta", text: "I look at <b>" });
    host.emit(threadId, { type: "assistant.delta", text: "x.ts</b>" });
    await page.getByText("I look at <b>x.ts</b>").waitFor();
    host.emit(threadId, { type: "assistant.done", text: "I look at <b>x.ts</b>" });
    const call = { callId: "1", name: "edit" };
    host.emit(threadId, { type: "tool.call", ...call, args: { path: "x.ts" } });
    await page.getByText('edit {"path":"x.ts"}').waitFor();
    host.emit(threadId, {
      type: "tool.result",
      ...call,
      summary: "1 line",
      hasDiff: true,
      diff: "+new",
    });
    await page.getByText("✓ edit: +new").waitFor();

    await page.getByRole("button", { name: "Cancel" }).click();
    await expect.poll(() => host.calls).toContainEqual(["cancel", threadId]);
    host.emit(threadId, { type: "status", phase: "aborted" });
    host.emit(threadId, { type: "status", phase: "idle" });
    await page.getByText("(aborted)").waitFor();

    host.emit(threadId, { type: "status", phase: "prompt", message: "[y]es to save?" });
    await page.locator(".question", { hasText: "[y]es to save?" }).waitFor();
    await say(page, "y");
    await expect.poll(() => host.calls).toContainEqual(["send", threadId, "y"]);

    await say(page, "/nope");
    host.emit(threadId, { type: "error", message: "There is no command /nope." });
    await page.locator(".error", { hasText: "no command" }).waitFor();
  });

  it("requests permission with full details and answers", async () => {
    const pageServer = await servePage();
    const { host, port } = await openUiServer({ allowOrigin: [pageServer] });
    const page = await openPage(`${pageServer}/#server=ws://127.0.0.1:${port}/ws`);
    await expect.poll(() => host.threads.size).toBe(1);
    const [threadId = ""] = host.threads.keys();
    const question = {
      threadId,
      callId: "1",
      tool: "shell",
      title: "rm -r build",
      command: "rm -r build &&\nnpm publish",
      reason: "it deletes what git may not contain",
      always: ["shell rm -r build"],
    };
    const answer = host.desk.ask(question, new AbortController().signal);
    await page.getByText("npm publish").waitFor();
    await page.getByText("it deletes what git may not contain").waitFor();
    expect(await page.getByRole("button").allTextContents()).toEqual(
      expect.arrayContaining(["once", "session", "always", "no"]),
    );
    await page.getByRole("button", { name: "session" }).click();
    expect(await answer).toMatchObject({ decision: "session" });
    await page.getByText("answered: session").waitFor();
  });

  it("shows a request made before it connected", async () => {
    const pageServer = await servePage();
    const { host, port } = await openUiServer({ allowOrigin: [pageServer], token: "s3cret" });
    await host.create({ threadId: "waiting" });
    host.setInfo("waiting", { pendingPrompt: "Save it?" });
    const page = await openPage(
      `${pageServer}/#server=ws://127.0.0.1:${port}/ws&token=s3cret&thread=waiting`,
    );
    await page.locator(".question", { hasText: "Save it?" }).waitFor();
    await page.locator(".user", { hasText: "last 50" }).waitFor();
  });

  it("removes requests resolved while disconnected", async () => {
    const pageServer = await servePage();
    const { host, port } = await openUiServer({ allowOrigin: [pageServer] });
    const line = await startBreakableProxy(port);
    const page = await openPage(`${pageServer}/#server=ws://127.0.0.1:${line.port}/ws`);
    await expect.poll(() => host.threads.size).toBe(1);
    const [threadId = ""] = host.threads.keys();
    const ask = (title: string, signal: AbortSignal) => {
      const about = { threadId, callId: title, tool: "shell", title, reason: "", always: [] };
      return host.desk.ask(about, signal);
    };
    const gone = new AbortController();
    const first = ask("rm -r build", gone.signal).catch(() => "nobody answered");
    await page.locator(".question", { hasText: "rm -r build" }).waitFor();
    line.cut();
    await page.getByText("not connected").waitFor();
    gone.abort(new Error("stopped"));
    expect(await first).toBe("nobody answered");
    const second = ask("npm publish", new AbortController().signal);
    await page.locator(".question", { hasText: "npm publish" }).waitFor();
    await page.getByText("no longer pending").waitFor();
    await page.getByRole("button", { name: "no" }).click();
    expect(await second).toMatchObject({ decision: "no" });
  });

  it("keeps showing a request after a resync", async () => {
    const { host, page, threadId } = await openThread();
    const answer = host.desk.ask(
      { threadId, callId: "1", tool: "shell", title: "rm -r build", reason: "", always: [] },
      new AbortController().signal,
    );
    await page.locator(".question", { hasText: "rm -r build" }).waitFor();
    host.emit(threadId, { type: "status", phase: "resync" });
    await page.locator(".user", { hasText: "last 50" }).waitFor();
    await page.locator(".question", { hasText: "rm -r build" }).waitFor();
    await page.getByRole("button", { name: "once" }).click();
    expect(await answer).toMatchObject({ decision: "once" });
  });

  it("is a script of at most fifty lines", () => {
    const [, script = ""] = readFileSync("examples/ui-client.html", "utf8").split(/<script.*>\n/);
    const lines = script.slice(0, script.indexOf("</script>")).trimEnd().split("\n");
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.length).toBeLessThanOrEqual(50);
  });

  it("reconnects without missing events", async () => {
    const pageServer = await servePage();
    const { host, port } = await openUiServer({ allowOrigin: [pageServer] });
    const line = await startBreakableProxy(port);
    const page = await openPage(`${pageServer}/#server=ws://127.0.0.1:${line.port}/ws`);
    await page.getByText("p m in /project").waitFor();
    await expect.poll(() => host.threads.size).toBe(1);
    const [threadId = ""] = host.threads.keys();
    host.emit(threadId, { type: "assistant.delta", text: "one " });
    await page.locator(".assistant", { hasText: "one" }).waitFor();
    line.cut();
    await page.getByText("not connected").waitFor();
    host.emit(threadId, { type: "assistant.delta", text: "two " });
    await page.getByText("p m in /project").waitFor();
    host.emit(threadId, { type: "assistant.delta", text: "three" });
    await page.getByText("one two three", { exact: true }).waitFor();
  });

  it("cannot connect from a disallowed origin", async () => {
    const pageServer = await servePage();
    const { port } = await openUiServer();
    const page = await openPage(`${pageServer}/#server=ws://127.0.0.1:${port}/ws`);
    await page.getByText("not connected").waitFor();
  });
});

it.runIf(browserPath === undefined)(
  `the example client is not tried: no browser at ${BROWSERS.join(", ")}`,
  () => expect(browserPath).toBeUndefined(),
);

async function openThread() {
  const pageServer = await servePage();
  const { host, port } = await openUiServer({ allowOrigin: [pageServer] });
  const page = await openPage(`${pageServer}/#server=ws://127.0.0.1:${port}/ws`);
  await expect.poll(() => host.threads.size).toBe(1);
  const [threadId = ""] = host.threads.keys();
  return { host, page, threadId };
}

async function say(page: Page, text: string): Promise<void> {
  await page.locator("#text").fill(text);
  await page.locator("#text").press("Enter");
  await page.locator(".user", { hasText: text }).waitFor();
}

async function openPage(url: string): Promise<Page> {
  const browser = await chromium.launch({
    executablePath: browserPath ?? "",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  onTestFinished(() => expect(problems).toEqual([]));
  await page.goto(url);
  return page;
}

async function startBreakableProxy(port: number) {
  const sockets = new Set<Socket>();
  const proxy = createTcpServer((incoming) => {
    const outgoing = connect(port, "127.0.0.1");
    incoming.pipe(outgoing).pipe(incoming);
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
    }
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const cut = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  onTestFinished(() => {
    cut();
    proxy.close();
  });
  return { port: (proxy.address() as AddressInfo).port, cut };
}

async function servePage(): Promise<string> {
  const server = createServer(({ url = "/" }, response) => {
    const isScript = url === "/dist/agent-client.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(readFileSync(isScript ? "dist/agent-client.js" : "examples/ui-client.html"));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
