import { beforeAll, describe, expect, it } from "vitest";
import { createOperations } from "../../src/memory/index.ts";
import { STORE_ROUTES } from "../../src/rest/store-routes/registry.ts";
import { memoryServer } from "../support/memory-server.ts";

interface Described {
  readonly operationId: string;
  readonly parameters: readonly { $ref?: string; name?: string; in?: string }[];
  readonly responses: Readonly<Record<string, unknown>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: unknown;
}

let document: Document;

beforeAll(async () => {
  const server = await memoryServer();
  document = (await (await fetch(`${server.url}/api/v1/openapi.json`)).json()) as Document;
  await server.end();
});

const described = () => Object.values(document.paths).flatMap((path) => Object.values(path));

describe("the OpenAPI document", () => {
  it("has every operation once, and the routes about whole databases", () => {
    const ids = described().map((operation) => operation.operationId);
    expect([...ids].sort()).toEqual(
      [...createOperations().keys(), ...STORE_ROUTES.map(({ id }) => id)].sort(),
    );
  });

  it("has no reference that leads nowhere", () => {
    const references = JSON.stringify(document).matchAll(/"\$ref":"#([^"]+)"/g);
    for (const [, pointer = ""] of references) {
      const target = pointer
        .split("/")
        .slice(1)
        .reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document);
      expect([pointer, target]).not.toEqual([pointer, undefined]);
    }
  });

  it("binds every placeholder of a path", () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name);
      for (const { parameters } of Object.values(methods)) {
        const bound = parameters.filter((it) => it.in === "path").map((it) => it.name);
        expect(bound).toEqual(names);
      }
    }
  });

  it("takes db everywhere and tells what can go wrong", () => {
    for (const { operationId, parameters, responses } of described()) {
      const refs = parameters.map((parameter) => parameter.$ref);
      expect([operationId, refs]).toEqual([
        operationId,
        expect.arrayContaining(["#/components/parameters/db"]),
      ]);
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(["200", "400", "401", "403"]));
    }
  });
});
