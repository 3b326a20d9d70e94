import { parentPort, workerData } from "node:worker_threads";
import { pageAsMarkdown } from "./page-as-markdown.ts";

parentPort?.postMessage(pageAsMarkdown(workerData));
