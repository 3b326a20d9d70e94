import { useState } from "preact/hooks";
import { usePage } from "../page.ts";

/** A server that was started with a token: it is asked for once, and kept for this tab. */
export function TokenForm() {
  const { session } = usePage();
  const [token, setToken] = useState("");
  return (
    <main class="token-form">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (token.trim() === "") return;
          session.keepToken(token.trim());
        }}
      >
        <h1>This memory is locked</h1>
        <p>{session.refused.value}</p>
        <label>
          Token
          <input
            type="password"
            name="token"
            autocomplete="current-password"
            value={token}
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
        </label>
        <button type="submit" class="button primary">
          Unlock
        </button>
        <p class="quiet">
          It is what <code>cairn serve</code> was started with: <code>--token</code> or{" "}
          <code>CAIRN_TOKEN</code>. The tabs of this page share it until they are closed.
        </p>
      </form>
    </main>
  );
}
