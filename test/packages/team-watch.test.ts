import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Registry } from "prom-client";
import { expect, it, onTestFinished } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { settingDefinitions } from "../../src/config/setting-definitions.ts";
import { BackendMetrics } from "../../src/server/metrics/server-metrics.ts";
import { serveMemory } from "../support/memory-server.ts";

interface Rule {
  readonly alert: string;
  readonly expr: string;
}

const alerts = parse(readFileSync("examples/team/alerts.yaml", "utf8"));
const rules: readonly Rule[] = alerts.groups[0].rules;
const manifests = parseAllDocuments(readFileSync("examples/team/kubernetes.yaml", "utf8")).map(
  (document) => document.toJS(),
);
const [deployment, service] = manifests;
const [container] = deployment.spec.template.spec.containers;

/** A Helm built from source assumes a very old Kubernetes version. */
const KUBE = ["--kube-version", "1.29.0"];

/** Returns the names of all metrics, also those of PostgreSQL. */
async function listMetrics(): Promise<Set<string>> {
  const server = await serveMemory();
  onTestFinished(() => server.end());
  await server.store.open().execute("remember", { content: "one" });
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const ofPlace = new Registry();
  new BackendMetrics({ state: () => Promise.reject(new Error("is not asked")) }, [ofPlace]);
  const names = `${text}\n${await ofPlace.metrics()}`.matchAll(/^# TYPE (\w+) (\w+)$/gm);
  return new Set(
    Array.from(names, ([, name = "", type]) => (type === "histogram" ? `${name}_bucket` : name)),
  );
}

it("alert rules use existing metrics only", async () => {
  const known = await listMetrics();
  const requests = rules.flatMap(({ expr }) => expr.match(/cairn_\w+/g) ?? []);
  expect(rules.filter(({ expr }) => !/cairn_\w+/.test(expr))).toEqual([]);
  expect(requests.filter((name) => !known.has(name))).toEqual([]);
  expect(known.has("cairn_of_nothing")).toBe(false);
});

it("the dashboard uses existing metrics and labels only", async () => {
  const known = await listMetrics();
  const { panels, templating } = JSON.parse(
    readFileSync("examples/team/grafana-dashboard.json", "utf8"),
  );
  const exprs: string[] = panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
    targets.map(({ expr }) => expr),
  );
  const asked = exprs.map((expr) => expr.match(/cairn_\w+/g) ?? []);
  expect(asked.filter((names) => names.length === 0)).toEqual([]);
  expect(asked.flat().filter((name) => !known.has(name))).toEqual([]);
  // Every metric with an alert is on the dashboard.
  const watched = new Set(asked.flat());
  const alerted = rules.flatMap(({ expr }) => expr.match(/cairn_\w+/g) ?? []);
  expect(alerted.filter((name) => !watched.has(name))).toEqual([]);
  expect(templating.list).toHaveLength(1);
  const places = panels.map(
    ({ gridPos: { x, y } }: { gridPos: { x: number; y: number } }) => `${x} ${y}`,
  );
  expect(new Set(places).size).toBe(panels.length);
});

it("the manifests set existing settings only, and probe existing routes", async () => {
  const known = new Set([...settingDefinitions().map(({ variable }) => variable), "CAIRN_DB"]);
  const given: readonly string[] = container.env.map(({ name }: { name: string }) => name);
  expect(given.filter((name) => !known.has(name))).toEqual([]);
  const server = await serveMemory();
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

function renderedByGo(folder: string) {
  const values = parse(readFileSync("examples/team/helm/values.yaml", "utf8"));
  const chart = parse(readFileSync("examples/team/helm/Chart.yaml", "utf8"));
  const input = {
    Values: { ...values, ingress: { ...values.ingress, enabled: true } },
    Release: { Name: "cairn" },
    Chart: { AppVersion: chart.appVersion },
  };
  const program = join("test", "packages", "render-chart.go");
  const made = spawnSync("go", ["run", program, folder], {
    ...{ input: JSON.stringify(input), encoding: "utf8" },
    env: { ...process.env, GO111MODULE: "off" },
  });
  expect(made.status, made.stderr).toBe(0);
  const documents = parseAllDocuments(made.stdout).map((document) => document.toJS());
  return documents.filter((document) => document !== null);
}

const hasGo = spawnSync("go", ["version"]).status === 0;
const TEMPLATES = "examples/team/helm/templates";

it("the chart renders each kind, with the environment of the plain manifests", {
  timeout: 180_000,
}, async (context) => {
  if (!hasGo) context.skip("go is not installed, which renders the templates");
  const documents = renderedByGo(TEMPLATES);
  expect(documents.map(({ kind }) => kind).sort()).toEqual(
    ["Deployment", "Ingress", "Job", "PodDisruptionBudget", "Service"].sort(),
  );
  const made = documents.find(({ kind }) => kind === "Deployment");
  expect(made.spec.template.spec.containers[0].env).toEqual(container.env);
});

it("the chart renders the plain manifests, linted by helm if installed", async (context) => {
  const helm = (...args: string[]) =>
    spawnSync(process.env.CAIRN_HELM ?? "helm", args, { encoding: "utf8" });
  if (helm("version").status !== 0) context.skip("helm is not installed; CAIRN_HELM names it");
  const lint = helm("lint", "--strict", ...KUBE, "examples/team/helm");
  expect(lint.status, lint.stdout + lint.stderr).toBe(0);
  const made = helm(
    "template",
    "cairn",
    "examples/team/helm",
    ...KUBE,
    "--set",
    "ingress.enabled=true",
  );
  expect(made.status, made.stderr).toBe(0);
  const documents = parseAllDocuments(made.stdout).map((document) => document.toJS());
  const byKind = new Map(documents.map((one) => [one.kind, one]));
  expect([...byKind.keys()].sort()).toEqual(
    ["Deployment", "Ingress", "Job", "PodDisruptionBudget", "Service"].sort(),
  );
  const [made1] = byKind.get("Deployment").spec.template.spec.containers;
  for (const field of ["args", "ports", "livenessProbe", "readinessProbe", "securityContext"]) {
    expect(made1[field], field).toEqual(container[field]);
  }
  expect(made1.env).toEqual(container.env);
  expect(byKind.get("Service").spec.ports).toEqual(service.spec.ports);
});
