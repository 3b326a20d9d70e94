import type { Locator, Page } from "playwright-core";

/** How a person does something on the page. */
export interface Hand {
  /** Presses a button, follows a link, opens what is folded, chooses a tab. */
  press(what: Locator): Promise<void>;
  /** Replaces what a field holds. */
  write(field: Locator, text: string): Promise<void>;
  /** Chooses in a list of choices by the words that are seen. */
  choose(list: Locator, words: string): Promise<void>;
}

export const mouse: Hand = {
  press: (what) => what.click(),
  async write(field, text) {
    await field.click();
    await field.fill(text);
  },
  async choose(list, words) {
    await list.selectOption({ label: words });
  },
};

/** Tab, arrows, Enter and letters alone. */
export const keyboard: Hand = {
  async press(what) {
    await reach(what);
    await what.page().keyboard.press((await isCheckbox(what)) ? "Space" : "Enter");
  },
  async write(field, text) {
    await reach(field);
    const { keyboard: keys } = field.page();
    await keys.press("Control+a");
    await keys.type(text);
  },
  async choose(list, words) {
    await reach(list);
    await list.page().keyboard.type(words);
  },
};

/** More than any screen has. */
const MOST_STOPS = 150;

/** Goes on with Tab until it is there, and with arrows among tabs. Throws where no key leads to it. */
export async function reach(what: Locator): Promise<void> {
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
