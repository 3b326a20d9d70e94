import { useState } from "preact/hooks";
import { usePage } from "../page.ts";
import { LogInButton, useLogIn } from "./log-in-button.tsx";

export function TokenForm() {
  const { session } = usePage();
  const offer = useLogIn();
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
        <p>
          {offer === undefined || session.token !== undefined
            ? session.refused.value
            : "Log in with your company's account."}
        </p>
        {offer !== undefined && <LogInButton offer={offer} />}
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
        <button type="submit" class={offer === undefined ? "button primary" : "button"}>
          Unlock
        </button>
        <p class="quiet">
          {offer === undefined ? (
            <>
              It is what <code>cairn serve</code> was started with: <code>--token</code> or{" "}
              <code>CAIRN_TOKEN</code>.
            </>
          ) : (
            <>Programs have one; people need none.</>
          )}{" "}
          The tabs of this page share it until they are closed.
        </p>
      </form>
    </main>
  );
}
