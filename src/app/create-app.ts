import { createOperations } from "../memory/index.ts";
import { type App, type AppOptions, assembleApp } from "./assemble-app.ts";

/** The program's parts with every operation. */
export function createApp(options: AppOptions): App {
  return assembleApp(options, createOperations(options.furtherOperations));
}
