import { packageDescription } from "../../shared/package.ts";
import { type Matter, RULES } from "./matter.ts";
import { saidOf } from "./write-matters.ts";

/** The Static Analysis Results Interchange Format 2.1.0 (OASIS), as code scanning takes it. */
export function asSarif(matters: readonly Matter[]): object {
  const ids = Object.keys(RULES);
  const { version } = packageDescription();
  return {
    $schema:
      "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "cairn",
            version,
            informationUri: "https://www.npmjs.com/package/cairn-memory",
            rules: Object.entries(RULES).map(([id, text]) => ({
              id,
              shortDescription: { text },
            })),
          },
        },
        columnKind: "utf16CodeUnits",
        results: matters.map((matter) => ({
          ruleId: matter.rule,
          ruleIndex: ids.indexOf(matter.rule),
          level: matter.level,
          message: { text: saidOf(matter) },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: uriOf(matter.path), uriBaseId: "%SRCROOT%" },
                // The file as a whole stands at its first line.
                region: { startLine: matter.line ?? 1 },
              },
            },
          ],
          partialFingerprints: { "memory/v1": `${matter.rule}:${matter.id}:${matter.path}` },
        })),
      },
    ],
  };
}

function uriOf(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
