const text = { type: "string", minLength: 1 };
const closed = (required: readonly string[], properties: object) => ({
  type: "object",
  additionalProperties: false,
  required,
  properties,
});

/**
 * Subset of SARIF 2.1.0 (OASIS, errata 01) with the properties that are written. Rejects all
 * others.
 */
export const SARIF = closed(["version", "runs"], {
  $schema: { type: "string", format: "uri" },
  version: { enum: ["2.1.0"] },
  runs: {
    type: "array",
    items: closed(["tool"], {
      tool: closed(["driver"], {
        driver: closed(["name"], {
          name: text,
          version: text,
          informationUri: { type: "string", format: "uri" },
          rules: {
            type: "array",
            uniqueItems: true,
            items: closed(["id"], { id: text, shortDescription: closed(["text"], { text }) }),
          },
        }),
      }),
      columnKind: { enum: ["utf16CodeUnits", "unicodeCodePoints"] },
      results: {
        type: "array",
        items: closed(["message"], {
          ruleId: text,
          ruleIndex: { type: "integer", minimum: -1 },
          level: { enum: ["none", "note", "warning", "error"] },
          message: closed(["text"], { text }),
          locations: {
            type: "array",
            items: closed([], {
              physicalLocation: closed(["artifactLocation"], {
                artifactLocation: closed([], {
                  uri: { type: "string", format: "uri-reference" },
                  uriBaseId: { type: "string" },
                }),
                region: closed([], { startLine: { type: "integer", minimum: 1 } }),
              }),
            }),
          },
          partialFingerprints: { type: "object", additionalProperties: { type: "string" } },
        }),
      },
    }),
  },
});
