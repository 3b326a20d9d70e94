import { expect, it } from "vitest";
import { asCommand } from "../../../src/web/screens/find/find-filter.ts";

it("spells a filtered list as a command whose words a shell keeps together", () => {
  expect(asCommand({ q: "it's late", type: "decision,fact" }, "shop")).toBe(
    "cairn list items --db shop --kinds episode,concept --type decision,fact --text 'it'\\''s late' --sort best",
  );
});
