/**
 * Fits the coefficients of `src/memory/recall/relevance.ts` on the features that `relevance.ts`
 * wrote. Prints them with the calibration of the score (expected calibration error and a table by
 * decile) for each collection. Reported figures are cross-validated: the questions of a project or
 * conversation are scored by a fit on the others.
 *
 *   npx tsx bench/fit-relevance.ts MEASURES.jsonl...
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import {
  classifyItem,
  computeProbability,
  computeQueryMeasures,
  FEATURES,
  type ItemForm,
  type ItemMeasures,
} from "../src/memory/recall/relevance.ts";

interface Row {
  readonly set: string;
  readonly project: string;
  readonly id: string;
  readonly wanted: number;
  readonly words: number;
  readonly items: readonly (ItemMeasures & { readonly label: number; readonly type: string })[];
}

const FOLDS = 10;
const TURNS = new Set(["observation", "question", "meta"]);
/** Background similarity of the bundled model, as stored in a database. */
const VECTORS = {
  vector: { mean: 0.0429, noise: 0.2705 },
  tokens: { mean: 0.0967, noise: 0.2356 },
};
/** Weights of collections, so that the largest does not dominate the fit. */
const WEIGHTS: Readonly<Record<string, number>> = { notes: 1, locomo: 0.3 };
const DEFAULT_WEIGHT = 0.1;

const rows = process.argv.slice(2).flatMap((path) =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row),
);

interface Example {
  readonly set: string;
  readonly values: readonly number[];
  readonly isRelevant: number;
  readonly weight: number;
  readonly fold: number;
}

const examples: Record<ItemForm, Example[]> = { turn: [], statement: [], text: [] };
for (const row of rows) {
  const measured = row.items
    .filter(({ label }) => label >= 0)
    .map((item) => ({ ...item, isTurn: row.set === "locomo" && TURNS.has(item.type) }));
  const forms = row.set === "locomo" ? (["turn"] as const) : (["statement", "text"] as const);
  for (const form of forms) {
    const shown =
      form === "text"
        ? measured.map((item) => ({ ...item, cosine: undefined, similarity: undefined }))
        : measured;
    const query = computeQueryMeasures(shown, {
      words: row.words,
      vectors: form === "text" ? undefined : VECTORS,
    });
    for (const item of shown) {
      examples[classifyItem(item)].push({
        set: row.set,
        values: FEATURES[form].map((feature) => feature(item, query)),
        isRelevant: item.label > 0 ? 1 : 0,
        weight: WEIGHTS[row.set] ?? DEFAULT_WEIGHT,
        fold: assignFold(row),
      });
    }
  }
}

for (const form of ["turn", "statement", "text"] as const) {
  const whole = fitLogisticRegression(examples[form]);
  console.log(`${form}: [${whole.map((value) => value.toFixed(3)).join(", ")}]`);
  const scored = Array.from({ length: FOLDS }, (_, fold) => {
    const weights = fitLogisticRegression(examples[form].filter((one) => one.fold !== fold));
    return examples[form]
      .filter((one) => one.fold === fold)
      .map((one) => ({ ...one, score: computeProbability(weights, one.values) }));
  }).flat();
  for (const set of new Set(scored.map(({ set }) => set))) {
    const held = scored.filter((one) => one.set === set);
    report(
      set,
      held.map(({ score, isRelevant }) => [score, isRelevant]),
    );
  }
}

/**
 * Questions of one project or conversation share a fold. Collections without projects are spread
 * over all folds.
 */
function assignFold({ set, project, id }: Row): number {
  const hash = createHash("sha256").update(project === "" ? `${set} ${id}` : project);
  return hash.digest().readUInt32BE(0) % FOLDS;
}

function report(
  set: string,
  scored: readonly (readonly [score: number, isRelevant: number])[],
): void {
  const bins = Array.from({ length: 10 }, () => ({ count: 0, score: 0, relevant: 0 }));
  for (const [score, isRelevant] of scored) {
    const bin = bins[Math.min(9, Math.floor(score * 10))];
    if (bin === undefined) continue;
    bin.count += 1;
    bin.score += score;
    bin.relevant += isRelevant;
  }
  const error = bins.reduce((sum, { score, relevant }) => sum + Math.abs(score - relevant), 0);
  console.log(`  ${set}: ECE ${(error / Math.max(1, scored.length)).toFixed(3)}`);
  for (const [place, { count, score, relevant }] of bins.entries()) {
    if (count === 0) continue;
    console.log(
      `    ${(place / 10).toFixed(1)}  ${(score / count).toFixed(2)} ${(relevant / count).toFixed(2)} of ${count}`,
    );
  }
}

/**
 * Logistic regression by Newton's method with a small L2 penalty. The first value of an example is
 * 1 (the intercept).
 */
function fitLogisticRegression(data: readonly Example[]): number[] {
  const size = data[0]?.values.length ?? 0;
  const weights = new Array<number>(size).fill(0);
  for (let round = 0; round < 25; round += 1) {
    const matrix = Array.from({ length: size }, () => new Array<number>(size + 1).fill(0));
    for (const { values, isRelevant, weight } of data) {
      const estimate = computeProbability(weights, values);
      const slope = weight * estimate * (1 - estimate);
      for (let a = 0; a < size; a += 1) {
        const row = matrix[a] as number[];
        const value = values[a] as number;
        row[size] = (row[size] as number) + weight * (isRelevant - estimate) * value;
        for (let b = 0; b < size; b += 1)
          row[b] = (row[b] as number) + slope * value * (values[b] as number);
      }
    }
    for (let a = 0; a < size; a += 1) {
      const row = matrix[a] as number[];
      row[a] = (row[a] as number) + 1;
      row[size] = (row[size] as number) - (a === 0 ? 0 : (weights[a] as number));
    }
    const step = solveLinearSystem(matrix);
    for (let a = 0; a < size; a += 1) weights[a] = (weights[a] as number) + (step[a] as number);
    if (Math.max(...step.map(Math.abs)) < 1e-6) break;
  }
  return weights;
}

/** Gauss–Jordan elimination with partial pivoting. The last column is the right-hand side. */
function solveLinearSystem(matrix: number[][]): number[] {
  const size = matrix.length;
  for (let column = 0; column < size; column += 1) {
    let pivot = column;
    for (let row = column + 1; row < size; row += 1) {
      if (Math.abs(matrix[row]?.[column] ?? 0) > Math.abs(matrix[pivot]?.[column] ?? 0))
        pivot = row;
    }
    const [a, b] = [matrix[column] as number[], matrix[pivot] as number[]];
    [matrix[column], matrix[pivot]] = [b, a];
    const own = matrix[column] as number[];
    for (const [row, other] of matrix.entries()) {
      if (row === column) continue;
      const factor = (other[column] as number) / (own[column] as number);
      for (let index = column; index <= size; index += 1) {
        other[index] = (other[index] as number) - factor * (own[index] as number);
      }
    }
  }
  return matrix.map((row, index) => (row[size] as number) / (row[index] as number));
}
