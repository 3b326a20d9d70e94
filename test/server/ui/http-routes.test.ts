import { expect, it } from "vitest";
import { openUiServer } from "./ui-server.ts";

it("GET / returns a plain-text description", async () => {
  const { url } = await openUiServer();
  const answer = await fetch(url);
  expect(answer.headers.get("content-type")).toMatch(/^text\/plain/);
  expect(await answer.text()).toContain("cairn ui-server");
});

it("GET /health counts the threads", async () => {
  const { url, host } = await openUiServer();
  await host.create({ threadId: "a" });
  expect(await (await fetch(`${url}/health`)).json()).toEqual({
    ok: true,
    protocolVersion: 2,
    cwd: "/project",
    threadCount: 1,
  });
});

it.each(["/nowhere", "/health/", "/ws/x", "/index.html", "//"])("GET %s is 404", async (path) => {
  const { url } = await openUiServer();
  const answer = await fetch(url + path);
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ error: { code: "not_found" } });
});

it("GET /ws without an upgrade explains how to connect", async () => {
  const { url } = await openUiServer();
  const answer = await fetch(`${url}/ws`);
  expect(answer.status).toBe(426);
  expect(await answer.json()).toMatchObject({
    error: { message: expect.stringContaining("ws://") },
  });
});

it("POST /health is 405", async () => {
  const { url } = await openUiServer();
  expect((await fetch(`${url}/health`, { method: "POST" })).status).toBe(405);
});

it("close delivers remaining events, then closes sockets with 1001", async () => {
  const { connect, host, close, url } = await openUiServer();
  await host.create({ threadId: "a" });
  const [client, stuck] = [await connect(), await connect()];
  await client.settle();
  await stuck.settle();
  stuck.socket.pause();
  const started = performance.now();
  await close(async () => {
    await expect(connect()).rejects.toThrow(/503/);
    host.emit("a", { type: "status", phase: "aborted" });
  });
  expect(performance.now() - started).toBeLessThan(6_000);
  expect(await client.closed).toBe(1001);
  await client.waitForPhase("a", "aborted");
  await expect(fetch(url)).rejects.toThrow();
});
