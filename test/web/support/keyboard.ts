import type { Locator, Page } from "playwright-core";

/** Presses a button, follows a link, unfolds a summary, chooses a tab. */
export async function press(target: Locator): Promise<void> {
  await reach(target);
  const key = (await isCheckbox(target)) ? "Space" : "Enter";
  await target.page().keyboard.press(key);
}

/** Replaces the text of a field. */
export async function write(field: Locator, text: string): Promise<void> {
  await reach(field);
  const { keyboard } = field.page();
  await keyboard.press("Control+a");
  await keyboard.type(text);
}

/** Chooses an option of a list by its visible text. */
export async function chooseOption(list: Locator, text: string): Promise<void> {
  await reach(list);
  await list.page().keyboard.type(text);
}

const MAX_TAB_STOPS = 150;

/** Presses Tab until the target has the focus, and arrows among tabs. Throws if no key leads to it. */
export async function reach(target: Locator): Promise<void> {
  const page = target.page();
  await target.waitFor();
  const isTab = (await target.getAttribute("role")) === "tab";
  for (let stop = 0; stop < MAX_TAB_STOPS; stop += 1) {
    if (await hasFocus(target)) return;
    const isAmongTabs = isTab && (await page.locator("[role=tab]:focus").count()) > 0;
    await page.keyboard.press(isAmongTabs ? "ArrowRight" : "Tab");
  }
  throw new Error(`No key leads to ${target}.`);
}

function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === element.ownerDocument.activeElement);
}

function isCheckbox(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element.matches("[type=checkbox]"));
}

export async function showsText(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text).filter({ visible: true }).first().waitFor();
}
