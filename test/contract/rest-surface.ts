import { parseLabels } from "../../src/memory/input/parse-labels.ts";
import { createRoutes } from "../../src/server/rest/index.ts";
import { serveMemory } from "../support/memory-server.ts";
import {
  type Input,
  type Outcome,
  type Surface,
  type SurfaceSetup,
  surfaceSetup,
} from "./surface.ts";

export async function restSurface(ground: SurfaceSetup): Promise<Surface> {
  const server = await serveMemory(surfaceSetup(ground));
  const routes = new Map(
    createRoutes(server.store.operations).map((it) => [it.operation.name, it]),
  );
  return {
    name: "REST",
    async call(operation, input) {
      const route = routes.get(operation.name);
      if (route === undefined) return undefined;
      const path = route.template.replaceAll(/\{(\w+)\}/g, (_match, field: string) =>
        encodeURIComponent(String(input[field])),
      );
      const rest = Object.fromEntries(
        Object.entries(input).filter(([field]) => !route.pathFields.includes(field)),
      );
      const hasBody = route.method === "POST" || route.method === "PATCH";
      const query = hasBody ? "" : `?${queryString(rest)}`;
      const response = await fetch(`${server.url}/api/v1${path}${query}`, {
        method: route.method,
        ...(hasBody && {
          headers: { "content-type": "application/json" },
          body: JSON.stringify(rest),
        }),
      });
      return outcomeOf(response);
    },
    close: () => server.end(),
  };
}

function queryString(input: Input): string {
  const query = new URLSearchParams();
  for (const [field, value] of Object.entries(input)) {
    if (field !== "labels") query.append(field, String(value));
    else
      for (const label of parseLabels(value)) query.append("label", `${label.key}:${label.value}`);
  }
  return query.toString();
}

async function outcomeOf(response: Response): Promise<Outcome> {
  const body: unknown = await response.json();
  return response.ok ? { output: body } : (body as Outcome);
}
