/**
 * What is learned of what people say to coding agents, and what is not.
 *
 *   npx tsx bench/learning.ts [--half dev|held-out] [--faults] [--decisions sde-dev.json]
 *
 * Scenes in ten languages stand in `bench/learning/`. `--faults` shows what was missed and what was
 * kept wrongly, of `dev` alone: whoever writes rules must not read the other half. The file of
 * `--decisions` has conversations of `vectorize-io/sde-bench` (MIT); it is not shipped.
 */
import { parseArgs } from "node:util";
import { hostileAnswers } from "./learning/hostile-answers.ts";
import { measureDecisions } from "./learning/measure-decisions.ts";
import { isOfKind, type Measured, measureScene } from "./learning/measure-scene.ts";
import { measureSuperseding } from "./learning/measure-superseding.ts";
import { allScenes, CLASSES, HALVES, LANGUAGES } from "./learning/scenes.ts";
import { percent, printTable } from "./support/print-table.ts";

const { values } = parseArgs({
  options: {
    half: { type: "string" },
    faults: { type: "boolean", default: false },
    decisions: { type: "string" },
  },
});
if (values.half !== undefined && !HALVES.some((half) => half === values.half)) {
  throw new Error(`--half is one of ${HALVES.join(", ")}`);
}

const scenes = allScenes().filter(({ half }) => values.half === undefined || half === values.half);
const began = performance.now();
const measured: Measured[] = [];
for (const scene of scenes) measured.push(await measureScene(scene));
const milliseconds = (performance.now() - began) / scenes.length;

console.log(`rules alone, ${scenes.length} scenes, ${milliseconds.toFixed(1)} ms a scene`);
const header = ["", "lasting", "recall %", "proposed", "kept", "precision %", "kind %"];
const rowsBy = (names: readonly string[], nameOf: (one: Measured) => string) =>
  names.map((name) =>
    rowOf(
      name,
      measured.filter((one) => nameOf(one) === name),
    ),
  );
printTable(header, [
  ...rowsBy(HALVES, ({ scene }) => scene.half),
  ...HALVES.flatMap((half) =>
    LANGUAGES.map((language) =>
      rowOf(
        `${half} ${language}`,
        measured.filter(({ scene }) => scene.half === half && scene.language === language),
      ),
    ),
  ),
  ...rowsBy(CLASSES, ({ scene }) => scene.kind),
  rowOf("all", measured),
]);

const hostile = scenes.filter(({ kind }) => kind === "hostile" || kind === "decision");
const gated: Measured[] = [];
for (const scene of hostile) gated.push(await measureScene(scene, [hostileAnswers(scene)]));
console.log("\nthe gate, with a scripted model's answers over hostile transcripts");
printTable(header, [rowOf("all", gated)]);

if (values.faults) {
  for (const { scene, wrong, isMissed, isProposed } of measured) {
    if (scene.half !== "dev") continue;
    const said = scene.turns.map(({ by, text }) => `${by}: ${text}`).join(" / ");
    if (isMissed) {
      const how = isProposed ? "only proposed" : "missed";
      console.log(`${how} ${scene.id} ${scene.kind} (${scene.expected?.text}): ${said}`);
    }
    for (const { kind, text } of wrong) {
      console.log(`wrong ${scene.id} ${scene.kind}: ${kind} “${text}”: ${said}`);
    }
  }
}

if (values.decisions !== undefined) {
  for (const arm of ["conversation", "amended"] as const) {
    const { tasks, held, coverage, ...rest } = await measureDecisions(values.decisions, arm);
    console.log(
      `\n${arm}: ${held} of ${tasks} decisions distilled with evidence, ${percent(coverage)} % of their words; ` +
        `${rest.superseding} correct what was said before; of other conversations ` +
        `${rest.claimsOfDecoys.toFixed(2)} claims each, ${rest.correctionsOfDecoys} corrections`,
    );
    const learned = await measureSuperseding(values.decisions, arm);
    console.log(
      `  in one memory, of ${learned.conversations} conversations: ${learned.kept} kept, ${learned.proposed} proposed, ` +
        `${learned.superseding} tasks of which the later replaced the earlier, ${learned.disputes} disputes, ` +
        `${learned.falseSupersessions.length} false supersessions, ${learned.stale} told as they no longer are; ` +
        `${learned.milliseconds.toFixed(0)} ms of the processor a conversation`,
    );
    for (const line of learned.falseSupersessions) console.log(`  false: ${line}`);
  }
}

function rowOf(name: string, list: readonly Measured[]): readonly (string | number)[] {
  const lasting = list.filter(({ scene }) => scene.expected !== undefined);
  const found = lasting.filter(({ isMissed }) => !isMissed);
  const right = list.flatMap((one) => one.found).length;
  const kept = right + list.flatMap(({ wrong }) => wrong).length;
  const ofKind = found.filter(({ found: claims, scene: { expected } }) =>
    claims.some((claim) => expected !== undefined && isOfKind(claim, expected)),
  );
  const share = (part: number, whole: number) => (whole === 0 ? "-" : percent(part / whole));
  return [
    name,
    lasting.length,
    share(found.length, lasting.length),
    lasting.filter(({ isProposed }) => isProposed).length,
    kept,
    share(right, kept),
    share(ofKind.length, found.length),
  ];
}
