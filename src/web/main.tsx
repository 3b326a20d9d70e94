import { render } from "preact";
import { ACTIONS } from "./actions/registry.ts";
import { App } from "./app.tsx";
import { createPage, PageContext } from "./page.ts";
import { listenToKeys } from "./shell/listen-to-keys.ts";

const root = document.getElementById("page");
if (root !== null) {
  const page = createPage(ACTIONS);
  listenToKeys(page);
  render(
    <PageContext.Provider value={page}>
      <App />
    </PageContext.Provider>,
    root,
  );
}
