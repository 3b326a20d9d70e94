import { readFileSync } from "node:fs";
import { Registry } from "prom-client";
import { expect, it, onTestFinished } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { settingDefinitions } from "../../src/config/setting-definitions.ts";
import { PlaceMetrics } from "../../src/metrics/place-metrics.ts";
import { memoryServer } from "../support/memory-server.ts";

interface Rule {
  readonly alert: string;
  readonly expr: string;
}

const alerts = parse(readFileSync("examples/team/alerts.yaml", "utf8"));
const rules: readonly Rule[] = alerts.groups[0].rules;
const [deployment, service] = parseAllDocuments(
  readFileSync("examples/team/kubernetes.yaml", "utf8"),
).map((document) => document.toJS());
const [container] = deployment.spec.template.spec.containers;

/** What a server tells, and what one with replicas tells besides. */
async function told(): Promise<Set<string>> {
  const server = await memoryServer();
  onTestFinished(() => server.end());
  await server.store.open().execute("remember", { content: "one" });
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const ofPlace = new Registry();
  new PlaceMetrics({ state: () => Promise.reject(new Error("is not asked")) }, [ofPlace]);
  const names = `${text}\n${await ofPlace.metrics()}`.matchAll(/^# TYPE (\w+) (\w+)$/gm);
  return new Set(
    Array.from(names, ([, name = "", type]) => (type === "histogram" ? `${name}_bucket` : name)),
  );
}

it("every metric of the alert rules is one that /metrics tells", async () => {
  const known = await told();
  const asked = rules.flatMap(({ expr }) => expr.match(/cairn_\w+/g) ?? []);
  expect(rules.filter(({ expr }) => !/cairn_\w+/.test(expr))).toEqual([]);
  expect(asked.filter((name) => !known.has(name))).toEqual([]);
  expect(known.has("cairn_of_nothing")).toBe(false);
});

it("the manifests set only settings that there are, and probe what the server answers", async () => {
  const known = new Set([...settingDefinitions().map(({ variable }) => variable), "CAIRN_DB"]);
  const given: readonly string[] = container.env.map(({ name }: { name: string }) => name);
  expect(given.filter((name) => !known.has(name))).toEqual([]);
  const server = await memoryServer();
  onTestFinished(() => server.end());
  for (const probe of [container.livenessProbe, container.readinessProbe]) {
    expect((await fetch(server.url + probe.httpGet.path)).status).toBe(200);
    expect(probe.httpGet.port).toBe(container.ports[0].name);
  }
  const port = container.args[container.args.indexOf("--port") + 1];
  expect([container.ports[0].containerPort, service.spec.ports[0].port].map(String)).toEqual([
    port,
    port,
  ]);
  expect(service.spec.selector).toEqual(deployment.spec.template.metadata.labels);
});
