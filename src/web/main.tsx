import { render } from "preact";
import { ACTIONS } from "./actions/registry.ts";
import { App } from "./app.tsx";
import { createPage, PageContext } from "./page.ts";
import { listenToKeys } from "./shell/listen-to-keys.ts";

/** Prevents the browser from opening a file that is dropped outside of the drop area. */
function preventFileDrops(): void {
  for (const kind of ["dragover", "drop"]) {
    window.addEventListener(kind, (event) => event.preventDefault());
  }
}

/** Not awaited at the top level: parts loaded here import this module's file. */
async function start(root: HTMLElement): Promise<void> {
  const isBack = new URLSearchParams(location.search).has("state");
  const loginResult = isBack ? await (await import("./data/login.ts")).endLogin() : undefined;
  const page = createPage(ACTIONS);
  if (loginResult !== undefined && "token" in loginResult)
    page.session.storeToken(loginResult.token);
  else page.session.loginFailure.value = loginResult?.failure;
  listenToKeys(page);
  preventFileDrops();
  page.agent.begin();
  render(
    <PageContext.Provider value={page}>
      <App />
    </PageContext.Provider>,
    root,
  );
}

const root = document.getElementById("page");
if (root !== null) void start(root);
