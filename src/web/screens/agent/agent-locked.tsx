import { useState } from "preact/hooks";
import { usePage } from "../../page.ts";

/** The agent runs commands on this machine, so it asks for more than the memory does. */
export function AgentLocked() {
  const { agent } = usePage();
  const [token, setToken] = useState("");
  return (
    <div class="page-body">
      <h1>The agent is locked</h1>
      {agent.access.refusal.value !== undefined && (
        <p class="notice warn" role="alert">
          {agent.access.refusal.value}
        </p>
      )}
      <p>
        Run <code>cairn ui</code> in the folder of the project: it opens this page with a link that
        lets it in. Tabs share that until they are closed.
      </p>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          if (token.trim() !== "") void agent.access.unlock(token.trim());
        }}
      >
        <label>
          Or its token
          <input
            type="password"
            autocomplete="off"
            value={token}
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
        </label>
        <p class="quiet">
          It is kept in the file <code>tokens/agent</code> of cairn's data folder, and is another
          than that of the memory.
        </p>
        <button type="submit" class="button primary">
          Unlock
        </button>
      </form>
    </div>
  );
}
