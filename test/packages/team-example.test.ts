import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { settingDefinitions } from "../../src/config/setting-definitions.ts";

const FOLDER = "examples/team";
const compose = parse(readFileSync(`${FOLDER}/compose.yaml`, "utf8"), { merge: true });
const caddyfile = readFileSync(`${FOLDER}/Caddyfile`, "utf8");

it("every variable of cairn in it is a setting", () => {
  const known = new Set(settingDefinitions().map(({ variable }) => variable));
  known.add("CAIRN_DB");
  const inputs = Object.keys(compose.services["cairn-1"].environment);
  expect(inputs.filter((variable) => !known.has(variable))).toEqual([]);
});

it("the proxy routes to the existing servers by name", () => {
  const upstreams = new Set(caddyfile.match(/cairn-\d:\d+/g));
  const { command, environment } = compose.services["cairn-1"];
  const port = command[command.indexOf("--port") + 1];
  expect([...upstreams].sort()).toEqual([`cairn-1:${port}`, `cairn-2:${port}`]);
  for (const upstream of upstreams) {
    const [name = ""] = upstream.split(":");
    expect(compose.services).toHaveProperty(name);
    expect(environment.CAIRN_ALLOW_HOST.split(",")).toContain(name);
  }
});

it(".env.example explains every external variable", () => {
  const text = readFileSync(`${FOLDER}/compose.yaml`, "utf8");
  const taken = new Set(Array.from(text.matchAll(/\$\{([A-Z_]+)/g), ([, name]) => name));
  const example = readFileSync(`${FOLDER}/example.env`, "utf8");
  // Optional settings are commented out in both files.
  const explained = Array.from(example.matchAll(/^(?:# )?([A-Z_]+)=/gm), ([, name]) => name);
  expect([...taken].sort()).toEqual(explained.sort());
});
