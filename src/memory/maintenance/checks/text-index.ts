import { INDEXED_KINDS } from "../../context/indexed-kind.ts";
import type { Problem } from "../../context/problem.ts";
import {
  getTextIndex,
  rebuildTextIndex,
  textsAreFresh,
  textsAreStale,
} from "../../search/match-texts.ts";
import type { Check } from "../check.ts";

export const textIndex: Check = {
  name: "text index",
  about: "the text index matches every active episode and concept",
  isDerived: true,
  async find(tx) {
    const problems: Problem[] = [];
    // Items with a pending migration still contain words of earlier rules.
    const words = !(await textsAreStale(tx));
    for (const kind of INDEXED_KINDS) {
      problems.push(...(await getTextIndex(tx).findProblems(tx, kind, { words })));
    }
    return problems;
  },
  async fix(tx) {
    for (const kind of INDEXED_KINDS) await rebuildTextIndex(tx, kind);
    await textsAreFresh(tx);
  },
};
