import { parentPort, workerData } from "node:worker_threads";
import { pageAsMarkdown } from "./convert-page.ts";

parentPort?.postMessage(pageAsMarkdown(workerData));
