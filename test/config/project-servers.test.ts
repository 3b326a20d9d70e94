import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadConfig, trustProject, trustStatus } from "../../src/config/index.ts";
import { createConfigFolders } from "./config-folders.ts";

const entry = { command: "npx", args: ["-y", "docs-server"] };

function placeWith(content: unknown) {
  const paths = createConfigFolders();
  const text = typeof content === "string" ? content : JSON.stringify(content);
  writeFileSync(join(paths.cwd, ".mcp.json"), text);
  return paths;
}

it("starts servers of .mcp.json once trusted, and asks again after changes", () => {
  const paths = placeWith({ mcpServers: { docs: { ...entry, note: "for others" } } });
  expect(loadConfig(paths).settings.mcpServers).toEqual({});
  expect(loadConfig({ ...paths, reader: "model" }).warnings.join()).toContain(
    ".mcp.json names MCP servers that are not started (docs)",
  );
  expect(trustStatus(paths).servers).toEqual([
    `docs: ${JSON.stringify({ ...entry, note: "for others" })}`,
  ]);
  trustProject(paths);
  expect(loadConfig(paths).settings.mcpServers).toMatchObject({
    docs: { ...entry, origin: "project" },
  });
  writeFileSync(join(paths.cwd, ".mcp.json"), JSON.stringify({ mcpServers: {} }));
  expect(trustStatus(paths).state).toBe("changed");
});

it("combines them with the user's servers and ignores claimed ownership", () => {
  const paths = placeWith({ mcpServers: { docs: { ...entry, origin: "user" } } });
  paths.writeUser({ mcpServers: { mine: { url: "https://example.org/mcp" }, docs: entry } });
  expect(loadConfig(paths).settings.mcpServers).toMatchObject({
    mine: { origin: "user" },
    docs: { origin: "user" },
  });
  trustProject(paths);
  expect(loadConfig(paths).settings.mcpServers).toMatchObject({
    mine: { origin: "user" },
    docs: { origin: "project" },
  });
});

it("skips invalid servers with a warning", () => {
  const paths = placeWith({ mcpServers: { docs: entry, broken: { args: [] } } });
  trustProject(paths);
  const { settings, warnings } = loadConfig({ ...paths, reader: "model" });
  expect(Object.keys(settings.mcpServers)).toEqual(["docs"]);
  expect(warnings.join()).toContain('the server "broken" is ignored');
  const other = placeWith("{");
  expect(loadConfig(other).settings.mcpServers).toEqual({});
});
