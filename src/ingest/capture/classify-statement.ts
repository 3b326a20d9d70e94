import { pathsIn } from "../learning/index.ts";
import type { Candidate } from "./candidate.ts";
import { findStatements } from "./find-statements.ts";

export type StatementType = Candidate["episodeType"] | "fact" | "question";

export interface Statement {
  readonly episodeType: StatementType;
  /** Sentences that can be understood without their context. */
  readonly content: string;
  /** Entity ids of the paths that it names, such as `file:src/app.ts`. */
  readonly entities: readonly string[];
}

/** A kind named in front, as in `decision: We deploy on Fridays`. */
const NAMED = /^(decision|preference|outcome|observation|fact|question)\s*:\s*(?=\S)/i;

export function classifyStatement(text: string): Statement {
  const given = text.trim();
  const name = NAMED.exec(given);
  const content = name === null ? given : given.slice(name[0].length);
  const entities = pathsIn(content).map((path) => `file:${path}`);
  if (name?.[1] !== undefined) {
    return { episodeType: name[1].toLowerCase() as StatementType, content, entities };
  }
  const [found] = findStatements([{ kind: "said", by: "user", text: content }]).statements;
  if (found !== undefined) return { episodeType: found.episodeType, content, entities };
  return { episodeType: content.endsWith("?") ? "question" : "fact", content, entities };
}
