import { useEffect, useState } from "preact/hooks";
import { Button, Form, TextField } from "../components/controls.tsx";
import { beginLogIn, findLogIn, isHere, type LogInOffer } from "../data/log-in.ts";
import { getFailure } from "../data/request-failed.ts";
import { usePage } from "../page.ts";

export function TokenForm() {
  const { session } = usePage();
  const offer = useLogIn();
  const [token, setToken] = useState("");
  return (
    <main class="token-form">
      <Form
        onSubmit={() => {
          if (token.trim() === "") return;
          session.storeToken(token.trim());
        }}
      >
        <h1>Log in</h1>
        <p>
          {offer === undefined || session.token !== undefined
            ? session.refused.value
            : "Log in with your organization's account."}
        </p>
        {offer !== undefined && <LogInButton offer={offer} />}
        <TextField
          label="Token"
          type="password"
          name="token"
          autocomplete="current-password"
          value={token}
          onInput={setToken}
        />
        <Button type="submit" kind={offer === undefined ? "primary" : undefined}>
          Unlock
        </Button>
        <p class="quiet">
          {offer === undefined ? (
            <>
              The token passed to <code>cairn serve</code> as <code>--token</code> or{" "}
              <code>CAIRN_TOKEN</code>.
            </>
          ) : (
            <>Programs use a token; users log in.</>
          )}{" "}
          All tabs of this page share it until they are closed.
        </p>
      </Form>
    </main>
  );
}

/** Address of the OIDC log-in; undefined until the server has answered. */
function useLogIn(): LogInOffer | undefined {
  const [offer, setOffer] = useState<LogInOffer>();
  useEffect(() => {
    let isMissing = false;
    void findLogIn().then((found) => {
      if (!isMissing) setOffer(found);
    });
    return () => {
      isMissing = true;
    };
  }, []);
  return offer;
}

function LogInButton({ offer }: { offer: LogInOffer }) {
  const { session } = usePage();
  const { logInFailure: failure } = session;
  if (!isHere(offer)) {
    return (
      <p>
        Users log in at <a href={`${offer.issuer}/ui/`}>{`${offer.issuer}/ui/`}</a>.
      </p>
    );
  }
  const begin = () => {
    failure.value = undefined;
    beginLogIn(offer).catch((error: unknown) => {
      failure.value = getFailure(error).message;
    });
  };
  return (
    <>
      <Button kind="primary" onClick={begin}>
        Log in with {offer.provider}
      </Button>
      {failure.value !== undefined && (
        <p class="failure" role="alert">
          {failure.value}
        </p>
      )}
    </>
  );
}
