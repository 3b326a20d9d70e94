import { invalidInput } from "../../src/shared/errors.ts";
import { respondToParent } from "../../src/shared/own-process.ts";

/** Child process of the own-process test: performs the requested action. */
respondToParent(async ({ what }: { readonly what: string }, note) => {
  if (what === "count") {
    for (let n = 1; n <= 3; n += 1) note(n);
    return { pid: process.pid };
  }
  if (what === "refuse") throw invalidInput("what: is wrong", { field: "what" });
  if (what === "fail") throw new Error("the disk is gone");
  if (what === "die") process.exit(3);
  note("waiting");
  return new Promise(() => setInterval(() => undefined, 1_000));
});
