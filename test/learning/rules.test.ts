import { describe, expect, it } from "vitest";
import { learnByRules } from "../../src/learning/index.ts";
import { LANGUAGES } from "../../src/learning/rules/languages.ts";

describe.each(LANGUAGES.map((rules) => [rules.language, rules] as const))(
  "rules of the language %s",
  (_, { examples }) => {
    it.each(examples.map(([sentence, kind]) => ({ sentence, kind })))(
      "take of “$sentence”: $kind",
      ({ sentence, kind }) => {
        const claims = learnByRules([{ id: "passage:1", by: "user", text: sentence }]);
        expect(claims.map((claim) => claim.kind)).toEqual(kind === null ? [] : [kind]);
      },
    );
  },
);
