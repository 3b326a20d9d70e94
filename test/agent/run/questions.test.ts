import { expect, it } from "vitest";
import { readPermissionAnswer } from "../../../src/agent/run/questions.ts";

it.each(["y", "Y", "yes", " YES "])("allows on an exact yes: %j", (text) => {
  expect(readPermissionAnswer(text)).toEqual({ decision: "once" });
});

it.each([
  "nope",
  "nein",
  "stop",
  "never",
  "do not",
  "deny",
  "N!",
  "cancel",
  "wait",
  "yes but not main",
  "yes!",
])("denies on %j and passes it on as the reason", (text) => {
  expect(readPermissionAnswer(text)).toEqual({ decision: "no", message: text });
});

it.each(["n", "no", "No"])("denies on %j without a reason", (text) => {
  expect(readPermissionAnswer(text)).toEqual({ decision: "no" });
});
