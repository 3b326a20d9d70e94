/**
 * Trains what tells lasting statements from others, by the sentences of `train/`, the examples of the rules
 * and the scenes of `dev` (never those of `held-out`), and writes
 * `models/statements/weights.bin`. The same corpus gives the same file.
 *
 *   npx tsx bench/learning/train.ts [--check]
 *
 * `--check` trains without a fifth of the lines and tells how it does on these.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sigmoid } from "../../src/ingest/learning/classifier/statement-classifier.ts";
import {
  FEATURE_PLACES,
  statementFeatures,
} from "../../src/ingest/learning/classifier/statement-features.ts";
import { HEADS, type Head } from "../../src/ingest/learning/classifier/statement-weights.ts";
import { CompiledRules } from "../../src/ingest/learning/rules/compiled-rules.ts";
import { packageRoot } from "../../src/shared/package.ts";
import { labelledExamples } from "./train/labelled-examples.ts";
import { type LabelledSentence, readCorpus, seeded } from "./train/read-corpus.ts";

const EPOCHS = 14;
const RATE = 0.25;
const DECAY = 2e-5;
const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });

interface Sample {
  readonly features: Uint16Array;
  readonly sentence: LabelledSentence;
  readonly targets: readonly (0 | 1 | undefined)[];
}

const rules = new CompiledRules();
const samples = [...readCorpus(), ...labelledExamples()].map(sampleOf);
const isHeld = ({ sentence: { frame, label } }: Sample) => (frame + label.length) % 5 === 0;
const weights = train(values.check ? samples.filter((one) => !isHeld(one)) : samples);
if (values.check) check(samples.filter(isHeld));
else write();

function sampleOf(sentence: LabelledSentence): Sample {
  const { label, text, before, corrects } = sentence;
  const by = ["recap", "aoutcome", "anone"].includes(label) ? "assistant" : "user";
  const features = statementFeatures({ by, text, before, isFirst: true, rules });
  const lasting = !["none", "anone", "yes", "notyes"].includes(label);
  const target = (head: Head): 0 | 1 | undefined => {
    if (head === "lasting") return lasting ? 1 : 0;
    if (head === "agreement") return label === "yes" ? 1 : 0;
    if (head === "corrects") return corrects === undefined ? undefined : corrects ? 1 : 0;
    if (!lasting) return undefined;
    const kind = label === "recap" ? "decision" : label === "aoutcome" ? "outcome" : label;
    return kind === head ? 1 : 0;
  };
  return { features, sentence, targets: HEADS.map(target) };
}

function train(of: readonly Sample[]) {
  const random = seeded("order");
  const places = HEADS.map(() => new Float32Array(FEATURE_PLACES));
  const squares = HEADS.map(() => new Float32Array(FEATURE_PLACES).fill(0.1));
  const biases = HEADS.map(() => 0);
  const order = of.map((_, index) => index);
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    shuffle(order, random);
    for (const index of order) {
      const sample = of[index];
      if (sample === undefined) continue;
      const { features, targets } = sample;
      const share = 1 / Math.sqrt(features.length);
      HEADS.forEach((_, head) => {
        const target = targets[head];
        const own = places[head];
        const square = squares[head];
        if (target === undefined || own === undefined || square === undefined) return;
        let sum = 0;
        for (const place of features) sum += own[place] ?? 0;
        const error = sigmoid(sum * share + (biases[head] ?? 0)) - target;
        biases[head] = (biases[head] ?? 0) - 0.01 * error;
        const slope = error * share;
        for (const place of features) {
          const now = own[place] ?? 0;
          const step = slope + DECAY * now;
          const grown = (square[place] ?? 0) + step * step;
          square[place] = grown;
          own[place] = now - (RATE * step) / Math.sqrt(grown);
        }
      });
    }
  }
  return { places, biases };
}

function shuffle(list: number[], random: () => number): void {
  for (let at = list.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [list[at], list[other]] = [list[other] ?? 0, list[at] ?? 0];
  }
}

function score(head: Head, { features }: Sample): number {
  const own = weights.places[HEADS.indexOf(head)];
  let sum = 0;
  for (const place of features) sum += own?.[place] ?? 0;
  return sigmoid(sum / Math.sqrt(features.length) + (weights.biases[HEADS.indexOf(head)] ?? 0));
}

function check(held: readonly Sample[]): void {
  for (const head of HEADS) {
    const known = held.flatMap((one) => {
      const target = one.targets[HEADS.indexOf(head)];
      return target === undefined ? [] : [{ target, isFound: score(head, one) > 0.5 }];
    });
    const right = known.filter(({ target, isFound }) => isFound && target === 1).length;
    const recall = right / known.filter(({ target }) => target === 1).length;
    const precision = right / known.filter(({ isFound }) => isFound).length;
    console.log(`${head}: recall ${recall.toFixed(3)}, precision ${precision.toFixed(3)}`);
  }
}

function write(): void {
  const scales = weights.places.map(
    (own) => own.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127,
  );
  const folder = join(packageRoot(), "models", "statements");
  mkdirSync(folder, { recursive: true });
  const bytes = Buffer.concat([
    Buffer.from(Float32Array.from(scales).buffer),
    Buffer.from(Float32Array.from(weights.biases).buffer),
    ...weights.places.map((own, head) =>
      Buffer.from(Int8Array.from(own, (weight) => Math.round(weight / (scales[head] ?? 1))).buffer),
    ),
  ]);
  writeFileSync(join(folder, "weights.bin"), bytes);
  console.log(`${samples.length} sentences, ${bytes.length} bytes`);
}
