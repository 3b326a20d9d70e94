import { resolve } from "node:path";
import { expect, it } from "vitest";
import { buildTrees } from "../../src/cli/graph/map.ts";
import { cliPlace, runInProcess } from "../support/run-cli.ts";

async function drawn() {
  const place = cliPlace();
  await runInProcess(place, ["apply", resolve("examples/first-memory.changeset")]);
  return async (...args: string[]) => {
    const { code, stdout, stderr } = await runInProcess(place, ["graph", ...args]);
    return { code, stdout, stderr };
  };
}

it("draws a deterministic tree of titles", async () => {
  const graph = await drawn();
  const { stdout } = await graph("function:charge", "--depth", "2");
  expect(stdout.split("\n")[0]).toContain("function:charge");
  expect(stdout).toMatch(/^├─.*mention .*ep:\d+/m);
  expect(stdout).toContain("Make every side effect idempotent");
  expect((await graph("function:charge", "--depth", "2")).stdout).toBe(stdout);
});

it("writes SVG, dot, Mermaid or HTML", async () => {
  const graph = await drawn();
  const { stdout: svg } = await graph("--format", "svg", "--depth", "2");
  expect(svg).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
  expect(svg).toContain("<title>");
  expect((await graph("--format", "svg", "--depth", "2")).stdout).toBe(svg);
  expect((await graph("--format", "html")).stdout).toMatch(/^<!doctype html>[\s\S]*<svg/);
  expect((await graph("--format", "dot")).stdout).toMatch(/^digraph memory \{[\s\S]* -> /);
  expect((await graph("--format", "mermaid")).stdout).toMatch(/^graph LR\n {2}n0\["/);
  const wrong = await graph("--format", "png");
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain("svg");
});

it("escapes content in the picture", async () => {
  const place = cliPlace();
  const evil = `"]; <script>alert('&')</script> ]] --> "x`;
  await runInProcess(place, ["remember", evil, "-e", "person:Ada"]);
  for (const format of ["svg", "html", "mermaid"]) {
    const { stdout } = await runInProcess(place, ["graph", "ep:1", "--format", format]);
    expect(stdout, format).not.toContain("<script>");
  }
  const dot = await runInProcess(place, ["graph", "1", "--format", "dot"]);
  expect(dot.stdout).toContain('\\"]; <script>');
});

it("prints the whole concept graph, or a neighborhood, as JSON", async () => {
  const graph = await drawn();
  expect(Object.keys(JSON.parse((await graph("--json")).stdout))).toEqual(["nodes", "edges"]);
  expect(JSON.parse((await graph("ep:6", "--json")).stdout)).toMatchObject({ center: "ep:6" });
});

it("places every node once, below a closer one", () => {
  const node = (id: string, hops: number) => {
    return { id, hops, kind: "concept", type: "pattern", title: id, folded: 0 };
  };
  const edge = (source: string, target: string) => ({ source, target, type: "x", strength: 1 });
  const [tree] = buildTrees({
    center: "a",
    nodes: [node("a", 0), node("b", 1), node("c", 1), node("d", 2)],
    edges: [edge("a", "b"), edge("c", "a"), edge("b", "d"), edge("c", "d")],
  });
  expect(tree?.branches.map((branch) => branch.node.id)).toEqual(["b", "c"]);
  expect(tree?.branches[0]?.branches.map((branch) => branch.node.id)).toEqual(["d"]);
  expect(tree?.branches[1]?.branches).toEqual([]);
});
