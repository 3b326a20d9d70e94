// @module-tag long: starts and kills processes.
import { expect, it } from "vitest";
import { CairnProcess, createCairnFolders } from "../../support/cairn-process.ts";
import { runCli } from "../../support/run-cli.ts";

it("logs JSON lines for server and requests without secrets", async () => {
  const place = createCairnFolders();
  const dataDir = `${place.home}/data`;
  const made = await runCli({ ...place, dataDir }, ["token", "create", "ada", "--json"]);
  const { token } = JSON.parse(made.stdout);
  const server = await CairnProcess.start({
    place,
    args: ["serve", "--port", "0", "--token", "auto", "--log-requests"],
    env: { CAIRN_DATA_DIR: dataDir, CAIRN_LOG_FORMAT: "json" },
  });
  const url = await server.ready();
  const send = (path: string, authorization: string, init: RequestInit = {}) =>
    fetch(url + path, {
      ...init,
      headers: { "content-type": "application/json", authorization },
    });
  await send(`/api/v1/stats?token=${token}`, "Bearer cairn_unknown-secret");
  await send("/api/v1/episodes", `Bearer ${token}`, {
    method: "POST",
    body: JSON.stringify({ content: "a private thought" }),
  });
  server.child.kill("SIGTERM");
  expect((await server.exited).code).toBe(0);

  const lines = server.stderr
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  for (const line of lines) {
    expect(line).toMatchObject({
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      level: expect.stringMatching(/^(info|warn|error)$/),
      message: expect.any(String),
    });
  }
  expect(lines).toContainEqual(
    expect.objectContaining({ method: "GET", route: "none", status: 401 }),
  );
  expect(lines).toContainEqual(
    expect.objectContaining({
      method: "POST",
      route: "/api/v1/episodes",
      status: 200,
      caller: "ada",
      ms: expect.any(Number),
    }),
  );
  for (const secret of [token, "unknown-secret", "private thought", "Bearer"]) {
    expect(server.stderr).not.toContain(secret);
  }
  expect(server.stderr).toContain("The token is stored in");
}, 90_000);

it("logs text by default, and requests on demand", async () => {
  const server = await CairnProcess.start({
    place: createCairnFolders(),
    args: ["serve", "--port", "0", "--log-requests"],
  });
  const url = await server.ready();
  await fetch(`${url}/health`);
  await expect
    .poll(() => server.stderr, { timeout: 15_000 })
    .toMatch(/^cairn: GET \/health 200 [\d.]+ ms$/m);
}, 90_000);
