export * from "../../src/testing/scripted-model.ts";
