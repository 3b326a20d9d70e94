import type { Locator, Page } from "playwright-core";

export interface InputMethod {
  press(what: Locator): Promise<void>;
  write(field: Locator, text: string): Promise<void>;
  choose(list: Locator, words: string): Promise<void>;
}

export const mouse: InputMethod = {
  press: (what) => what.click(),
  async write(field, text) {
    await field.click();
    await field.fill(text);
  },
  async choose(list, words) {
    await list.selectOption({ label: words });
  },
};

export const keyboard: InputMethod = {
  async press(what) {
    await focusByKeyboard(what);
    await what.page().keyboard.press((await isCheckbox(what)) ? "Space" : "Enter");
  },
  async write(field, text) {
    await focusByKeyboard(field);
    const { keyboard: keys } = field.page();
    await keys.press("Control+a");
    await keys.type(text);
  },
  async choose(list, words) {
    await focusByKeyboard(list);
    await list.page().keyboard.type(words);
  },
};

/** More than any screen has. */
const MOST_STOPS = 150;

/**
 * Presses Tab, and arrows among tabs, until the element has focus. Throws if it is not reachable.
 */
export async function focusByKeyboard(what: Locator): Promise<void> {
  const page = what.page();
  await what.waitFor();
  const isTab = (await what.getAttribute("role")) === "tab";
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    if (await hasFocus(what)) return;
    const isAmongTabs = isTab && (await page.locator("[role=tab]:focus").count()) > 0;
    await page.keyboard.press(isAmongTabs ? "ArrowRight" : "Tab");
  }
  throw new Error(`No key leads to ${what}.`);
}

function hasFocus(what: Locator): Promise<boolean> {
  return what.evaluate((element) => element === element.ownerDocument.activeElement);
}

function isCheckbox(what: Locator): Promise<boolean> {
  return what.evaluate((element) => element.matches("[type=checkbox]"));
}

export async function showsTask(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text).filter({ visible: true }).first().waitFor();
}
