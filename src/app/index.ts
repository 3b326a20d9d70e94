export { type App, type AppOptions, createApp } from "./create-app.ts";
