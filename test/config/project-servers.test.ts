import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadConfig, trustProject, trustStatus } from "../../src/config/index.ts";
import { createConfigFolders } from "./config-place.ts";

const entry = { command: "npx", args: ["-y", "docs-server"] };

function placeWith(content: unknown) {
  const place = createConfigFolders();
  const text = typeof content === "string" ? content : JSON.stringify(content);
  writeFileSync(join(place.cwd, ".mcp.json"), text);
  return place;
}

it("starts servers of .mcp.json once trusted, and asks again after changes", () => {
  const place = placeWith({ mcpServers: { docs: { ...entry, note: "for others" } } });
  expect(loadConfig(place).settings.mcpServers).toEqual({});
  expect(loadConfig({ ...place, reader: "model" }).warnings.join()).toContain(
    ".mcp.json names MCP servers that are not started (docs)",
  );
  expect(trustStatus(place).servers).toEqual([
    `docs: ${JSON.stringify({ ...entry, note: "for others" })}`,
  ]);
  trustProject(place);
  expect(loadConfig(place).settings.mcpServers).toMatchObject({
    docs: { ...entry, origin: "project" },
  });
  writeFileSync(join(place.cwd, ".mcp.json"), JSON.stringify({ mcpServers: {} }));
  expect(trustStatus(place).state).toBe("changed");
});

it("combines them with the user's servers and ignores claimed ownership", () => {
  const place = placeWith({ mcpServers: { docs: { ...entry, origin: "user" } } });
  place.writeUser({ mcpServers: { mine: { url: "https://example.org/mcp" }, docs: entry } });
  expect(loadConfig(place).settings.mcpServers).toMatchObject({
    mine: { origin: "user" },
    docs: { origin: "user" },
  });
  trustProject(place);
  expect(loadConfig(place).settings.mcpServers).toMatchObject({
    mine: { origin: "user" },
    docs: { origin: "project" },
  });
});

it("skips invalid servers with a warning", () => {
  const place = placeWith({ mcpServers: { docs: entry, broken: { args: [] } } });
  trustProject(place);
  const { settings, warnings } = loadConfig({ ...place, reader: "model" });
  expect(Object.keys(settings.mcpServers)).toEqual(["docs"]);
  expect(warnings.join()).toContain('the server "broken" is ignored');
  const other = placeWith("{");
  expect(loadConfig(other).settings.mcpServers).toEqual({});
});
