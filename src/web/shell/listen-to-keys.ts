import type { Page } from "../page.ts";

/** Milliseconds within which the second key of `g f` must follow. */
const SEQUENCE_PAUSE = 1_200;

/** Characters do nothing for this long after a screen change: the user may still be typing. */
const SETTLE_MS = 1_000;

/** Keys that links, buttons or tabs handle themselves. */
const KEYS_OF_CONTROLS = new Set([
  "Enter",
  " ",
  "ArrowDown",
  "ArrowUp",
  "ArrowLeft",
  "ArrowRight",
  "Home",
  "End",
]);

const CONTROLS =
  "a, button, summary, select, input, textarea, [role=tab], [role=button], [role=option]";

/** Maps key presses to actions, except in fields and while a dialog is open. */
export function listenToKeys(page: Page): void {
  let shown = getScreen(page);
  let changedAt = Number.NEGATIVE_INFINITY;
  page.router.location.subscribe(() => {
    const next = getScreen(page);
    if (next !== shown) changedAt = Date.now();
    if (next !== "find") page.actions.typedSearch = undefined;
    shown = next;
  });
  let first: { key: string; at: number } | undefined;
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const key = getName(event);
    const isModified = key.startsWith("Mod+");
    if (!isModified && (isField(event.target) || !page.preferences.choices.peek().singleKeys))
      return;
    const { actions } = page;
    if (actions.typedSearch !== undefined && key.length === 1) {
      event.preventDefault();
      actions.typedSearch += key;
      return;
    }
    if (KEYS_OF_CONTROLS.has(key) && isControl(event.target)) return;
    // A dialog may still be loading.
    if (event.altKey || actions.overlay.peek() !== undefined) return;
    if (document.querySelector("dialog[open]") !== null) return;
    const isSecond = first !== undefined && Date.now() - first.at < SEQUENCE_PAUSE;
    const keys = isSecond && first !== undefined ? [first.key, key] : [key];
    first = undefined;
    const action = actions
      .possible(page)
      .find(({ keys: requested = [] }) =>
        requested[0] === "g"
          ? requested.join() === keys.join()
          : keys.length === 1 && requested.includes(key),
      );
    const isTypedText = keys.length === 1 && key.length === 1 && !/[g/?]/.test(key);
    if (isTypedText && Date.now() - changedAt < SETTLE_MS) return;
    if (action !== undefined) {
      event.preventDefault();
      actions.run(action, page);
    } else if (key === "g") first = { key, at: Date.now() };
  });
}

/** Each thread counts as a screen: a key meant for one must not answer another. */
function getScreen({ router }: Page): string {
  const { screen, id = "" } = router.location.peek();
  return screen === "agent" ? `agent ${id}` : screen;
}

function getName({ key, ctrlKey, metaKey }: KeyboardEvent): string {
  return ctrlKey || metaKey ? `Mod+${key}` : key;
}

function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !/^(checkbox|radio|button)$/.test(target.type);
  return target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName);
}

function isControl(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  return target.closest(CONTROLS) !== null && target.closest("[role=row]") === null;
}
