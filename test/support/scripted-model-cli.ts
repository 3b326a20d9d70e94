import { readFileSync } from "node:fs";
import { type ScriptedAnswer, startScriptedModel } from "./scripted-model.ts";

/**
 * Usage: `tsx test/support/scripted-model-cli.ts script.json`. The file contains an array of
 * answers, played in order; `{"loop": [...]}` repeats. Prints the base URL.
 */
const path = process.argv[2];
const script = path === undefined ? [] : JSON.parse(readFileSync(path, "utf8"));
const model = await startScriptedModel();
const answers: readonly ScriptedAnswer[] = Array.isArray(script) ? script : script.loop;
const loops = !Array.isArray(script);
model.respond(({ index }) => {
  const answer = answers[loops ? index % answers.length : index];
  return answer ?? { text: "The script has ended." };
});
process.stdout.write(`${model.baseUrl}\n`);
