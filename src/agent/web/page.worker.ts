import { parentPort, workerData } from "node:worker_threads";
import { convertPage } from "./convert-page.ts";

parentPort?.postMessage(convertPage(workerData));
