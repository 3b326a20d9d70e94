import { beforeAll, describe, expect, it } from "vitest";
import { createOperations } from "../../../src/memory/index.ts";
import { createRoutes } from "../../../src/server/rest/index.ts";
import { STORE_ROUTES } from "../../../src/server/rest/store-routes/registry.ts";
import { serveMemory } from "../../support/memory-server.ts";

interface Described {
  readonly operationId: string;
  readonly parameters: readonly { $ref?: string; name?: string; in?: string }[];
  readonly responses: Readonly<Record<string, unknown>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: {
    readonly schemas: Readonly<
      Record<
        string,
        { readonly properties?: Record<string, unknown>; readonly required?: readonly string[] }
      >
    >;
    readonly responses: Readonly<Record<string, unknown>>;
  };
}

let document: Document;

beforeAll(async () => {
  const server = await serveMemory();
  document = (await (await fetch(`${server.url}/api/v1/openapi.json`)).json()) as Document;
  await server.end();
});

const described = () => Object.values(document.paths).flatMap((path) => Object.values(path));

describe("the OpenAPI document", () => {
  it("contains every operation once, and store routes", () => {
    const ids = described().map((operation) => operation.operationId);
    expect([...ids].sort()).toEqual(
      [
        ...createRoutes(createOperations()).map(({ operation }) => operation.name),
        ...STORE_ROUTES.map(({ id }) => id),
      ].sort(),
    );
  });

  it("has no dangling references", () => {
    const references = JSON.stringify(document).matchAll(/"\$ref":"#([^"]+)"/g);
    for (const [, pointer = ""] of references) {
      const target = pointer
        .split("/")
        .slice(1)
        .reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document);
      expect([pointer, target]).not.toEqual([pointer, undefined]);
    }
  });

  it("describes the fields of every JSON response", () => {
    const bare = described().filter(({ responses }) =>
      JSON.stringify(responses["200"]).includes('"schema":{"type":"object"}'),
    );
    expect(bare.map(({ operationId }) => operationId)).toEqual([]);
  });

  it("describes each record type once", () => {
    const { schemas } = document.components;
    for (const name of ["Episode", "Fact", "Concept", "Conflict", "Entity", "Event", "Topic"]) {
      // A collision has the fields of a fact, most of them optional.
      const shapeOf = (schema: (typeof schemas)[string] | undefined) =>
        JSON.stringify([schema?.properties, schema?.required]);
      const text = shapeOf(schemas[name]);
      const others = Object.entries(schemas).filter(([other]) => other !== name);
      expect([name, others.filter(([, it]) => shapeOf(it) === text)]).toEqual([name, []]);
      expect(JSON.stringify(document)).toContain(`"#/components/schemas/${name}"`);
    }
    expect(schemas.ListEpisodesOutput?.properties?.episodes).toEqual({
      type: "array",
      items: { $ref: "#/components/schemas/Episode" },
    });
  });

  it("describes rejected formats", () => {
    const property = (schema: string, name: string) =>
      document.components.schemas[schema]?.properties?.[name];
    expect(property("RememberInput", "content")).toMatchObject({ minLength: 1, pattern: "\\S" });
    expect(property("PromoteInput", "id")).toMatchObject({
      pattern: expect.stringMatching(/^\^\(fact\|ep\):/),
    });
    expect(property("CreateConceptInput", "from")).toMatchObject({
      anyOf: [{ type: "string" }, { type: "array", minItems: 1 }],
    });
    expect(document.components.schemas.UpdateEpisodeInput).toMatchObject({ minProperties: 1 });
    const { pattern } = property("RecallInput", "as_of") as { pattern: string };
    const accepts = (text: string) => new RegExp(pattern).test(text);
    for (const text of ["2026-03-31", "2026-03-31T10:30:00Z", "2026-03-31T10:30+02:00"]) {
      expect([text, accepts(text)]).toEqual([text, true]);
    }
    for (const text of ["", "yesterday", "2026-13-01", "2026-03-31T25:00Z"]) {
      expect([text, accepts(text)]).toEqual([text, false]);
    }
  });

  it("documents 412 wherever if_match is supported", () => {
    for (const [id, { responses }] of described().map((it) => [it.operationId, it] as const)) {
      const takesIt = "if_match" in (createOperations().get(id)?.input.shape ?? {});
      expect([id, "412" in responses]).toEqual([id, takesIt]);
    }
  });

  it("describes every operation and refers to every response that it has", () => {
    for (const operation of described()) {
      expect(operation).toMatchObject({ description: expect.stringMatching(/\S/) });
    }
    for (const code of Object.keys(document.components.responses)) {
      expect(JSON.stringify(document.paths)).toContain(`"#/components/responses/${code}"`);
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

  it("documents db and errors on every route", () => {
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
