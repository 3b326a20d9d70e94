import { expect, it } from "vitest";
import { createCliFolders, runInProcess } from "../support/run-cli.ts";

it("creates, lists and revokes tokens", async () => {
  const folders = createCliFolders();
  const cairn = (...args: string[]) => runInProcess(folders, ["token", ...args]);
  expect((await cairn("list")).stdout).toBe("There are no tokens.\n");
  const made = await cairn("create", "ada", "--scope", "admin");
  expect(made).toMatchObject({ code: 0, stderr: "" });
  const [token = "", said] = made.stdout.split("\n");
  expect(token).toMatch(/^cairn_/);
  expect(said).toBe("The token of ada, for admin. It is not stored and will not be shown again.");
  const other = await cairn("create", "bob", "--json");
  expect(JSON.parse(other.stdout)).toMatchObject({ name: "bob", scope: "write" });
  const listed = await cairn("list");
  expect(listed.stdout).toMatch(
    /^ada {2}admin {2}made .*Z {2}not used yet\nbob {2}write {2}made .*Z {2}not used yet\n$/,
  );
  expect(listed.stdout).not.toContain(token);
  const narrow = ["create", "ci", "--scope", "propose", "--databases", "web,docs"];
  expect((await cairn(...narrow, "--expires", "30d")).stdout).toContain(
    "propose, only web, docs, until 2",
  );
  const exchanged = await cairn("rotate", "ci");
  expect(exchanged.stdout).toMatch(
    /^cairn_[\w-]{43}\nThe token of ci, for propose, only web, docs, until 2/,
  );
  expect((await cairn("list")).stdout).toMatch(
    /ci {3}propose {2}made .*Z {2}rotated .*Z {2}not used yet {2}only web, docs {2}until .*Z\n/,
  );
  const quick = ["--requests-per-minute", "90", "--json"];
  expect(JSON.parse((await cairn("create", "nightly", ...quick)).stdout)).toMatchObject({
    requests_per_minute: 90,
  });
  expect((await cairn("list")).stdout).toContain("90 requests a minute\n");
  for (const name of ["ci", "nightly"]) await cairn("revoke", name);
  expect((await cairn("revoke", "ada")).stdout).toBe("Revoked the token of ada.\n");
  const left = JSON.parse((await cairn("list", "--json")).stdout);
  expect(left.tokens).toMatchObject([{ name: "bob" }]);
});

it.each([
  [["create"], "cairn token create NAME [--scope approve|metrics|read|propose|write|decide|admin]"],
  [
    ["create", "ada", "--scope", "all"],
    "--scope: must be one of approve, metrics, read, propose, write, decide, admin",
  ],
  [
    ["create", "ada", "--requests-per-minute", "0"],
    "--requests-per-minute: must be a whole number",
  ],
  [["create", "no name"], "name: must be 1 to 64 letters"],
  [["list", "ada"], "cairn token list"],
  [["revoke", "ada", "--scope", "read"], "cairn token revoke NAME"],
  [["open", "ada"], "cairn token open"],
  [["open"], "--yes: is required"],
  [["list", "--yes"], "cairn token list"],
  [["revok", "ada"], 'Did you mean "revoke"'],
])("rejects %j with the correct usage", async (words, message) => {
  const { code, stdout, stderr } = await runInProcess(createCliFolders(), ["token", ...words]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(message);
});

it("reports an unknown name", async () => {
  const { code, stderr } = await runInProcess(createCliFolders(), ["token", "revoke", "ada"]);
  expect(code).toBe(1);
  expect(stderr).toContain("cairn token list");
});

it("reports that tokens are still required, and allows access without on request", async () => {
  const folders = createCliFolders();
  const cairn = (...args: string[]) => runInProcess(folders, ["token", ...args]);
  await cairn("create", "ada");
  const early = await cairn("open", "--yes");
  expect([early.code, early.stderr]).toEqual([1, expect.stringContaining("Revoke them first")]);
  expect((await cairn("revoke", "ada")).stdout).toMatch(/It was the last one\. .*cairn token open/);
  expect((await cairn("list")).stdout).toContain("still require one");
  expect(JSON.parse((await cairn("list", "--json")).stdout)).toEqual({ tokens: [], closed: true });
  expect((await cairn("open", "--yes")).stdout).toMatch(/^Access without a token is now allowed/);
  expect((await cairn("list")).stdout).toBe("There are no tokens.\n");
  expect((await cairn("open", "--yes")).stdout).toContain("already allowed");
});
