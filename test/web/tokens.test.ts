// @module-tag long: a browser.
import { describe, expect, it } from "vitest";
import { PeopleTokens } from "../../src/access/index.ts";
import { browserPath } from "./support/browser.ts";
import { setUpServedPage } from "./support/served-page.ts";

describe.skipIf(browserPath === undefined)("the tokens screen", () => {
  const served = setUpServedPage();

  it("creates a token with scope and expiry, shows it once and revokes it", async () => {
    await served.server.store.open("shop").execute("remember", { content: "One." });
    const { page, close } = await served.open("shop/tokens");
    const tokens = new PeopleTokens(served.server.store.tokens);
    await page.getByText("No tokens yet.").waitFor();
    await page.getByText("The first token has the scope admin").waitFor();
    await page.getByLabel("Name").fill("ada");
    await page.getByRole("button", { name: "Create token" }).click();
    await page.getByRole("cell", { name: "admin" }).waitFor();
    await page.getByLabel("Name").fill("ci");
    await page.getByLabel("Scope").selectOption("propose");
    await page.getByLabel("Expires in").selectOption("30d");
    await page.getByLabel("Only database shop").check();
    await page.getByRole("button", { name: "Create token" }).click();
    await page.getByRole("cell", { name: "propose" }).waitFor();
    const text = (await page.locator(".notice code").textContent()) ?? "";
    await page.getByRole("button", { name: "Copy token" }).click();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(text);
    const listed = (await tokens.list()).find(({ name }) => name === "ci");
    expect(listed).toMatchObject({ name: "ci", scope: "propose", databases: ["shop"] });
    const days = (Date.parse(listed?.expires_at ?? "") - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(30);
    await page.getByRole("link", { name: "Trash" }).click();
    await page.getByRole("link", { name: "Tokens" }).click();
    await page.getByRole("cell", { name: "propose" }).waitFor();
    expect(await page.content()).not.toContain(text);
    await page.getByRole("button", { name: "Revoke token ci" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    expect(await tokens.list()).toHaveLength(2);
    await page.getByRole("button", { name: "Revoke token ci" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("cell", { name: "propose" }).waitFor({ state: "detached" });
    expect((await tokens.list()).map(({ name }) => name)).toEqual(["ada"]);
    await close();
  });
});
