import type { Candidate } from "./candidate.ts";
import { findStatements } from "./find-statements.ts";

export type StatementType = Candidate["episodeType"] | "fact" | "question";

export interface Statement {
  readonly episodeType: StatementType;
  /** Sentences that stand alone. */
  readonly content: string;
  /** `file:src/app.ts`, of the paths that it names. */
  readonly entities: readonly string[];
}

/** `decision: We deploy on Fridays` */
const NAMED = /^(decision|preference|outcome|observation|fact|question)\s*:\s*(?=\S)/i;
const PATH = /(?<![\w@/.])(?:[\w.-]+\/)*[\w-]+\.(?:[a-z]{1,4}|[a-z]+\d?)(?![\w/])/g;
const MOST_PATHS = 5;

/** What kind of statement a person wants kept: named in front of it, or told by its words. */
export function classifyStatement(text: string): Statement {
  const given = text.trim();
  const name = NAMED.exec(given);
  const content = name === null ? given : given.slice(name[0].length);
  const entities = pathsIn(content).map((path) => `file:${path}`);
  if (name?.[1] !== undefined) {
    return { episodeType: name[1].toLowerCase() as StatementType, content, entities };
  }
  const [found] = findStatements([{ kind: "said", by: "user", text: content }]);
  if (found !== undefined) return { episodeType: found.episodeType, content, entities };
  return { episodeType: content.endsWith("?") ? "question" : "fact", content, entities };
}

/** Names with a slash or with an ending that source files have. */
function pathsIn(text: string): readonly string[] {
  const found = [...text.matchAll(PATH)].map(([path]) => path);
  const paths = found.filter(
    (path) =>
      path.includes("/") ||
      /\.(?:[cm]?[jt]sx?|py|rs|go|java|rb|md|json|ya?ml|toml|sh|sql|c|h|cpp|cs|php|css|html)$/.test(
        path,
      ),
  );
  return [...new Set(paths)].slice(0, MOST_PATHS);
}
