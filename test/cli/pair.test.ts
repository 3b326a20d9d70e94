// @module-tag long: programs and servers that are started and killed.
import { expect, it } from "vitest";
import { CairnProcess, cairnPlace } from "../support/cairn-process.ts";
import { patiently } from "../support/patiently.ts";
import { cliPlace, runInProcess } from "../support/run-cli.ts";

it(
  "pairs a phone with the page that it opens and with one that is open, lists and revokes",
  async () => {
    const place = cairnPlace();
    const env = { CAIRN_PROVIDER: "ollama", CAIRN_MODEL: "m", CAIRN_SANDBOX: "false" };
    const args = [
      ...["ui", "--print", "--pair", "--port", "0"],
      ...["--phone-host", "127.0.0.1", "--phone-port", "0"],
    ];
    const server = await CairnProcess.start({ place, env, args });
    await server.ready();
    await expect
      .poll(() => server.stdout, { timeout: patiently(20_000) })
      .toMatch(/█[\s\S]*\nhttp:\/\/127\.0\.0\.1:\d+\/phone#pair=[\w-]{32}\n/);
    await expect.poll(() => server.stderr).toContain("Over http, whoever is in this network");
    const again = await CairnProcess.start({
      place,
      env,
      args: ["pair", "--name", "adas-phone", "--expires", "12h", "--json"],
    });
    expect(await again.exited).toEqual({ code: 0, signal: null });
    const made = JSON.parse(again.stdout);
    expect(Object.keys(made).sort()).toEqual(["until", "url", "warning"]);
    const { origin, hash } = new URL(made.url);
    const authorization = `Bearer ${hash.slice("#pair=".length)}`;
    const session = await fetch(`${origin}/phone/session`, {
      method: "POST",
      headers: { authorization },
    });
    const { token } = (await session.json()) as { token: string };
    const me = () => fetch(`${origin}/phone/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(await (await me()).json()).toEqual({ name: "adas-phone", project: place.project });
    const run = async (...words: string[]) => {
      const child = await CairnProcess.start({ place, env, args: ["pair", ...words] });
      return { ...(await child.exited), stdout: child.stdout };
    };
    expect((await run("list")).stdout).toMatch(/^adas-phone {2}paired .* used .* until /);
    expect((await run("revoke", "adas-phone")).stdout).toBe("adas-phone is let in no more.\n");
    expect((await me()).status).toBe(401);
    expect((await run("list")).stdout).toBe("No phone is paired.\n");
    server.child.kill("SIGTERM");
    expect(await server.exited).toEqual({ code: 0, signal: null });
  },
  patiently(60_000),
);

it.each([
  [["pair"], "No page with the agent of this project is open"],
  [["pair", "revoke"], "write cairn pair"],
  [["pair", "list", "ada"], "write cairn pair"],
  [["pair", "lsit"], 'Did you mean "list"?'],
  [["pair", "revoke", "ada"], 'There is no phone "ada"'],
  [["ui", "--lan", "--phone-host", "127.0.0.1"], "leave it out beside --phone-host"],
  [["ui", "--pair", "--no-agent"], "there has to be one"],
])("says what is wrong with %j", async (args, message) => {
  const { code, stderr } = await runInProcess(cliPlace(), args);
  expect(code).not.toBe(0);
  expect(stderr).toContain(message);
});
