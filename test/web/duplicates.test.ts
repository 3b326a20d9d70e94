// @module-tag long: a browser.
import { describe, expect, it } from "vitest";
import { patiently } from "../support/patiently.ts";
import { browserPath } from "./support/browser.ts";
import { servedPage } from "./support/served-page.ts";

describe.skipIf(browserPath === undefined)("what may be the same", () => {
  const served = servedPage();

  it(
    "is merged with m or by mouse, told apart with n for good, and both are taken back",
    async () => {
      const memory = served.server.store.open("doubles");
      await memory.execute("apply", {
        changeset: [
          'remember "One about it." entities="tool:Git Hub" as=one',
          'remember "Another about it." entities=tool:git-hub as=two',
          'concept title="Deploy rules" confidence=0.9 from=$one "Never on Fridays."',
          'concept title="Deploy rules" confidence=0.5 from=$two "Only with a review."',
        ].join("\n"),
      });
      const offered = async () =>
        (await memory.execute("tidy", { dry_run: true })).offered.map(({ kind }) => kind);
      const concepts = async () => (await memory.execute("list_concepts", {})).concepts.length;
      expect(await offered()).toEqual(["concept", "entity"]);
      const { page, close } = await served.open(`doubles/inbox?part=duplicates`);
      await page.getByRole("heading", { name: "Are these the same concept?" }).waitFor();
      await page.getByText("Only with a review.").waitFor();
      await page.keyboard.press("n");
      await page.getByRole("heading", { name: "Are these the same entity?" }).waitFor();
      await expect.poll(offered).toEqual(["entity"]);
      expect(await concepts()).toBe(2);
      await page.keyboard.press("z");
      await page.getByRole("heading", { name: "Are these the same concept?" }).waitFor();
      await expect.poll(offered).toEqual(["concept", "entity"]);
      await page.getByRole("button", { name: /^The same: merge/ }).click();
      await expect.poll(concepts).toBe(1);
      await page.getByRole("heading", { name: "Are these the same entity?" }).waitFor();
      await page.locator("#main").focus();
      await page.keyboard.press("m");
      await page.getByText("No two concepts or entities are called nearly the same.").waitFor();
      await expect.poll(offered).toEqual([]);
      const { relations } = await memory.execute("get_entity", { entity_id: "tool:Git Hub" });
      expect(relations.map(({ relation }) => relation)).toContain("same_as");
      await close();
    },
    patiently(60_000),
  );
});
