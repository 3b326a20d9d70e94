// @module-tag long: a browser.
import { describe, expect, it } from "vitest";
import { browserPath, pressShortcut } from "./support/browser.ts";
import { setUpServedPage } from "./support/served-page.ts";

describe.skipIf(browserPath === undefined)("proposals", () => {
  const served = setUpServedPage();

  it("accepts or rejects by one key each and by mouse, and undoes it", async () => {
    const memory = served.server.store.open("proposed");
    const propose = (content: string) =>
      memory.execute("propose", {
        content,
        episode_type: "decision",
        quotation: `They said: ${content}`,
        reason: "Nobody confirmed it yet.",
      });
    for (const content of ["We use npm.", "We use tabs.", "We use Node 22."])
      await propose(content);
    const { page, close } = await served.open("proposed/inbox");
    await page.getByRole("link", { name: "Proposals 3" }).waitFor();
    await page.getByRole("heading", { name: "We use Node 22." }).waitFor();
    await page.getByText("They said: We use Node 22.").waitFor();
    await pressShortcut(page, "1");
    await page.getByRole("heading", { name: "We use tabs." }).waitFor();
    const open = async () => (await memory.execute("list_proposals", {})).total;
    const kept = async () =>
      (await memory.execute("items", { kinds: ["episode"] })).items.map(({ text }) => text);
    await expect.poll(kept).toEqual(["We use Node 22."]);
    await page.getByRole("button", { name: /^Reject/ }).click();
    await page.getByRole("heading", { name: "We use npm." }).waitFor();
    await expect.poll(open).toBe(1);
    await page.locator("#main").focus();
    await pressShortcut(page, "z");
    await expect.poll(open).toBe(2);
    await page.getByRole("heading", { name: "We use tabs." }).waitFor();
    expect(await kept()).toEqual(["We use Node 22."]);
    await close();
  });
});
