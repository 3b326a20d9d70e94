import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { generateText, jsonSchema, type ToolSet, tool } from "ai";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, it } from "vitest";
import { plainSchema } from "../../../src/agent/mcp-servers/plain-schema.ts";
import { geminiFault } from "../../llm/support/providers/gemini-faults.ts";

const key = fc.constantFrom("a", "b", "type", "$ref", "__proto__");
const type = fc.constantFrom<unknown>(
  ...["string", "number", "integer", "boolean", "array", "object", "null", "date", 3],
  ["string", "null"],
  ["object", "array", "null"],
);
const { schema } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<unknown>(true, false, null, "x", {}, { type: "array" }),
    fc.record(
      {
        type,
        description: fc.constantFrom<unknown>("text", "", 4),
        enum: fc.array(fc.constantFrom<unknown>("x", "", 1, 2, null, true)),
        const: fc.constantFrom<unknown>("x", 3, null),
        format: fc.constantFrom("uri", "date-time"),
        properties: fc.dictionary(key, tie("schema"), { maxKeys: 3 }),
        required: fc.array(fc.oneof(key, fc.constant(7))),
        items: fc.oneof(tie("schema"), fc.array(tie("schema"), { maxLength: 3 })),
        prefixItems: fc.array(tie("schema"), { maxLength: 3 }),
        anyOf: fc.array(tie("schema"), { maxLength: 3 }),
        oneOf: fc.array(tie("schema"), { maxLength: 3 }),
        allOf: fc.array(tie("schema"), { maxLength: 3 }),
        additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
        $ref: fc.constantFrom("#/$defs/a", "#/properties/a", "#", "https://x.example/s.json", "%"),
        minLength: fc.constantFrom<unknown>(1, "1"),
      },
      { requiredKeys: [] },
    ),
  ),
}));

async function faultOf(inputSchema: object): Promise<string | undefined> {
  let fault: string | undefined;
  const google = createGoogleGenerativeAI({
    apiKey: "key",
    fetch: async (_, init) => {
      fault = geminiFault(JSON.parse(String(init?.body)), { thinking: [] });
      return new Response("{}", { status: 400 });
    },
  });
  const tools: ToolSet = Object.fromEntries([
    ["tool", tool({ inputSchema: jsonSchema(inputSchema) })],
  ]);
  const pending = generateText({ model: google("gemini"), prompt: "x", tools, maxRetries: 0 });
  await pending.catch((error: unknown) => {
    if (!String(error).includes("APICallError")) fault = String(error);
  });
  return fault;
}

it("reduces every input schema to what strict services accept", async () => {
  const ajv = new Ajv2020({ strict: false });
  const input = fc.oneof(schema, fc.jsonValue());
  await fc.assert(
    fc.asyncProperty(input, fc.dictionary(key, schema), async (given, $defs) => {
      const plain = plainSchema(
        typeof given === "object" && given !== null ? { ...given, $defs } : given,
      );
      expect(plain.type).toBe("object");
      expect(() => ajv.compile(plain)).not.toThrow();
      expect(JSON.stringify(plain)).not.toMatch(/"(?:\$ref|oneOf|allOf|prefixItems)":(?!\{)/);
      expect(await faultOf(plain)).toBeUndefined();
    }),
    { numRuns: 300 },
  );
});

it.each<[string, object, object]>([
  ["a number of a list", { type: "number", enum: [-1, 0] }, { description: "One of: [-1,0]." }],
  ["a list of any values", { enum: ["a", 1] }, { description: 'One of: ["a",1].' }],
  ["a nullable string", { type: ["string", "null"] }, { type: "string" }],
  [
    "several types",
    { type: ["string", "number"] },
    { anyOf: [{ type: "string" }, { type: "number" }] },
  ],
  ["a list without items", { type: "array" }, { type: "array", items: { type: "string" } }],
  [
    "a tuple",
    { type: "array", items: [{ type: "string" }, { type: "number" }] },
    { items: { anyOf: [{ type: "string" }, { type: "number" }] } },
  ],
  ["a reference", { $ref: "#/$defs/p", description: "P" }, { type: "integer", description: "P" }],
  [
    "parts",
    { allOf: [{ properties: { x: { type: "string" } } }] },
    { properties: { x: { type: "string" } } },
  ],
])("simplifies %s", (_, field, expected) => {
  const plain = plainSchema({
    type: "object",
    properties: { field },
    required: ["field", "missing"],
    $defs: { p: { type: "integer" } },
  });
  expect(plain).toMatchObject({ properties: { field: expected }, required: ["field"] });
});

it("bounds a schema that refers to itself", () => {
  const node = { type: "object", properties: { left: { $ref: "#" }, right: { $ref: "#" } } };
  expect(JSON.stringify(plainSchema(node)).length).toBeLessThan(200_000);
});
