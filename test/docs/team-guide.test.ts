import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { packageRoot } from "../../src/kernel/package-root.ts";
import { CairnProcess, cairnPlace } from "../support/cairn-process.ts";
import { patiently } from "../support/patiently.ts";
import { type CliResult, cliPlace, runInProcess } from "../support/run-cli.ts";

const LIMIT = patiently(60_000);

const guide = readFileSync(join(packageRoot(), "docs/guides/team.md"), "utf8");

/** Lines of the guide's blocks of one kind. */
function linesOf(kind: string): string[] {
  const blocks = guide.matchAll(/^```(sh(?: \w+)?)\n([\s\S]*?)^```$/gm);
  return Array.from(blocks).flatMap(([, found, text = ""]) =>
    found === kind ? text.trimEnd().split("\n") : [],
  );
}

/** Words of a shell command; only double quotes are used. */
function wordsOf(command: string): string[] {
  return Array.from(
    command.matchAll(/"([^"]*)"|(\S+)/g),
    ([, quoted, bare]) => quoted ?? bare ?? "",
  );
}

function expectSuccess(command: string, { code, stderr }: CliResult): void {
  expect([command, code, stderr]).toEqual([command, 0, ""]);
}

describe("the guide for a team", () => {
  it(
    "has commands for tokens that work one after the other",
    async () => {
      const place = cliPlace();
      const lines = linesOf("sh");
      expect(lines.length).toBeGreaterThan(3);
      for (const line of lines) {
        const [program, ...args] = wordsOf(line);
        expect(program).toBe("cairn");
        expectSuccess(line, await runInProcess(place, args));
      }
    },
    LIMIT,
  );

  it(
    "has a command for one server that starts",
    async () => {
      const [line = ""] = linesOf("sh server");
      const args = [...wordsOf(line).slice(1), "--port", "0"];
      const server = await CairnProcess.start({ place: cairnPlace(), args });
      const url = await server.ready();
      expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ database: "team" });
    },
    LIMIT,
  );

  it("names services of the compose file only", () => {
    const services = Object.keys(compose().services);
    const named = guide.match(/(?<=compose (?:exec|up|build)(?: -+[\w-]+)* )[a-z][\w-]*/g) ?? [];
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((service) => !services.includes(service))).toEqual([]);
  });
});

function compose() {
  const text = readFileSync(join(packageRoot(), "examples/team/compose.yaml"), "utf8");
  return parse(text, { merge: true });
}
