import { constants, setPriority } from "node:os";
import { serveRequests } from "../../shared/program-process.ts";
import type { SignedReading, TextInContext } from "../embedder.ts";
import { signedReading } from "../embedder.ts";
import { loadModel, readInContext } from "./load-model.ts";
import type { ModelFolder } from "./model-folder.ts";

setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const folder = JSON.parse(process.argv[2] ?? "{}") as ModelFolder;
// Optimizing again makes each of many runs 4 % faster and changes no vector.
const loading = loadModel({ ...folder, isOptimized: false });
// Every request reports the failure.
loading.catch(() => undefined);

serveRequests(async (texts: readonly TextInContext[]) => {
  const model = await loading;
  const options = { role: "passage", signal: undefined } as const;
  const readings: SignedReading[] = [];
  for (const text of texts) readings.push(signedReading(await readInContext(model, text, options)));
  return readings;
});
