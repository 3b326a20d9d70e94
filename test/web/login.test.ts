// @module-tag long: a browser.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTeamServer, type TeamServer } from "../access/identity/support/identity-server.ts";
import { serveMemory } from "../support/memory-server.ts";
import { browserPath, openPage, startBrowser } from "./support/browser.ts";

/** The tab id only identifies drafts and grants no access. */
const KEPT = "Object.entries(sessionStorage).filter(([key]) => key !== 'cairn-tab')";

describe.skipIf(browserPath === undefined)("the page of a server with a login", () => {
  let server: TeamServer;
  let browser: Browser;
  let provider: string;

  beforeAll(async () => {
    server = await startTeamServer();
    provider = new URL(server.company.issuer).host;
    await server.roles.grant({ kind: "group", name: "leads" }, "decide", ["shop"]);
    await server.store.open("shop").execute("remember", { content: "The shop opens at nine" });
    browser = await startBrowser();
  });

  beforeEach(() => {
    server.company.logsInAs = "ada";
  });

  afterAll(async () => {
    await browser?.close();
    await server?.end();
  });

  it("logs in by one button, returns to the previous page, and only in this tab", async () => {
    const { page, close } = await openPage(browser, `${server.url}/ui/shop/find?q=nine`);
    await page.getByRole("button", { name: `Log in with ${provider}` }).click();
    await page.locator("main[data-screen=find]").waitFor();
    await page.getByText("The shop opens at nine").first().waitFor();
    expect(page.url()).toBe(`${server.url}/ui/shop/find?q=nine`);
    const kept = (await page.evaluate(KEPT)) as [string, string][];
    expect(kept.map(([key]) => key)).toEqual(["cairn-token"]);
    expect(kept[0]?.[1]).toMatch(/^cairn_s_/);
    expect(await page.evaluate("Object.keys(localStorage).join()")).not.toContain("token");
    await page.reload();
    await page.getByText("The shop opens at nine").first().waitFor();
    // Another tab of the same browser shares the session, without the provider.
    const second = await page.context().newPage();
    await second.goto(`${server.url}/ui/shop`);
    await second.locator("main[data-screen=home]").waitFor();
    await close();
  });

  it("prompts again after the session ended", async () => {
    const { page, close } = await openPage(browser, `${server.url}/ui/shop/find?q=nine`);
    await page.getByRole("button", { name: `Log in with ${provider}` }).click();
    await page.getByText("The shop opens at nine").first().waitFor();
    const person = await server.identity.people.withName("ada@example.org");
    await server.identity.sessions.endOf(person?.id ?? "");
    const logIn = page.getByRole("button", { name: `Log in with ${provider}` });
    const prompt = page.getByText("The shop opens at nine").first();
    await expect
      .poll(async () => {
        await page.reload();
        await logIn.or(prompt).waitFor();
        return logIn.isVisible();
      })
      .toBe(true);
    await page.getByRole("button", { name: `Log in with ${provider}` }).click();
    await page.getByText("The shop opens at nine").first().waitFor();
    await close();
  });

  it("logs out in every tab by one button, and revokes the token", async () => {
    const { page, close } = await openPage(browser, `${server.url}/ui/shop/find?q=nine`);
    await page.getByRole("button", { name: `Log in with ${provider}` }).click();
    await page.getByText("The shop opens at nine").first().waitFor();
    const second = await page.context().newPage();
    await second.goto(`${server.url}/ui/shop`);
    await second.locator("main[data-screen=home]").waitFor();
    const token = (await page.evaluate("sessionStorage.getItem('cairn-token')")) as string;
    const person = await server.identity.people.withName("ada@example.org");
    const logins = async () =>
      (await server.identity.sessions.list()).filter((it) => it.person === person?.id).length;
    const before = await logins();
    const logOut = page.getByRole("button", { name: "Log out" });
    // No false log-out message if the server is unreachable.
    await page.route("**/oauth/revoke", (route) => route.abort());
    await logOut.click();
    await page.getByText("You are still logged in: server unreachable").waitFor();
    expect(await logins()).toBe(before);
    await page.unroute("**/oauth/revoke");
    await logOut.click();
    for (const tab of [page, second]) {
      await tab.getByRole("button", { name: `Log in with ${provider}` }).waitFor();
      expect(await tab.getByText("The shop opens at nine").count()).toBe(0);
      expect(await tab.evaluate(KEPT)).toEqual([]);
    }
    expect(await logins()).toBe(before - 1);
    const ask = () =>
      fetch(`${server.url}/health`, { headers: { authorization: `Bearer ${token}` } });
    await expect.poll(async () => (await ask()).status).toBe(401);
    await page.getByRole("button", { name: `Log in with ${provider}` }).click();
    await page.getByText("The shop opens at nine").first().waitFor();
    expect(page.url()).toBe(`${server.url}/ui/shop/find?q=nine`);
    await close();
  });

  it("rejects a code of a login from another tab and reports it", async () => {
    const forged = `${server.url}/ui/?${new URLSearchParams({ code: "x", state: "y", iss: server.url })}`;
    const { page, close } = await openPage(browser, forged);
    await page.getByText("This login was started in another tab").waitFor();
    expect(page.url()).not.toContain("code");
    expect(await page.evaluate(KEPT)).toEqual([]);
    await close();
  });

  it("reports errors of the server or the identity provider", async () => {
    const { page, close } = await openPage(browser, `${server.url}/ui/shop`);
    const button = page.getByRole("button", { name: `Log in with ${provider}` });
    // A forged code, as in a manipulated callback URL.
    await page.route("**/oauth/token", (route) => {
      const form = new URLSearchParams(route.request().postData() ?? "");
      form.set("code", "made-up");
      return route.continue({ postData: form.toString() });
    });
    await button.click();
    await page.getByText("You are not logged in: code: is unknown, expired").waitFor();
    const answerWith = async (answer: Record<string, string>) => {
      await page.unroute("**/oauth/authorize?*");
      await page.route("**/oauth/authorize?*", (route) => {
        const state = new URL(route.request().url()).searchParams.get("state") ?? "";
        const back = new URLSearchParams({ state, ...answer });
        return route.fulfill({ status: 302, headers: { location: `${server.url}/ui/?${back}` } });
      });
      await button.click();
    };
    await answerWith({ code: "x", iss: "https://evil.example" });
    await page.getByText("Another server responded to this login").waitFor();
    await answerWith({ error: "x", error_description: "The provider is away", iss: server.url });
    await page.getByText("You are not logged in: The provider is away").waitFor();
    expect(page.url()).toBe(`${server.url}/ui/shop`);
    expect(await page.evaluate(KEPT)).toEqual([]);
    await close();
  });

  it("reports a user without any access", async () => {
    server.company.logsInAs = "bruno";
    const { page, close } = await openPage(browser, `${server.url}/ui/`);
    await page.getByText("Log in with your organization's account.").waitFor();
    await page.getByRole("button", { name: `Log in with ${provider}` }).click();
    await page.getByText("no access to a database").waitFor();
    await close();
  });

  it("still accepts a token, and offers no login without a provider", async () => {
    const { page, close } = await openPage(browser, `${server.url}/ui/shop`);
    await page.getByLabel("Token").fill("not-a-token");
    await page.getByRole("button", { name: "Unlock" }).click();
    await page.getByRole("button", { name: `Log in with ${provider}` }).waitFor();
    await close();
    const plain = await serveMemory({ token: "a-token-of-twenty-letters" });
    try {
      const opened = await openPage(browser, `${plain.url}/ui/`);
      await opened.page.getByText("cairn serve").waitFor();
      expect(await opened.page.getByRole("button").allTextContents()).toEqual(["Unlock"]);
      await opened.close();
    } finally {
      await plain.end();
    }
  });
});
