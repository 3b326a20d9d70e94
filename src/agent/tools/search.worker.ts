import { parentPort, workerData } from "node:worker_threads";
import { runSearchJob, type SearchJob } from "./line-matches.ts";

parentPort?.postMessage(await runSearchJob(workerData as SearchJob));
