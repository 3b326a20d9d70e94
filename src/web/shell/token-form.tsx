import { useEffect, useState } from "preact/hooks";
import { Button, Form, TextField } from "../components/controls.tsx";
import { beginLogin, findLogin, isHere, type LoginOffer } from "../data/login.ts";
import { getFailure } from "../data/request-failed.ts";
import { usePage } from "../page.ts";

export function TokenForm() {
  const { session } = usePage();
  const offer = useLoginOffer();
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
        {offer !== undefined && <LoginButton offer={offer} />}
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

/** Address of the OIDC login; undefined until the server has answered. */
function useLoginOffer(): LoginOffer | undefined {
  const [offer, setOffer] = useState<LoginOffer>();
  useEffect(() => {
    let isMissing = false;
    void findLogin().then((found) => {
      if (!isMissing) setOffer(found);
    });
    return () => {
      isMissing = true;
    };
  }, []);
  return offer;
}

function LoginButton({ offer }: { offer: LoginOffer }) {
  const { session } = usePage();
  const { loginFailure: failure } = session;
  if (!isHere(offer)) {
    return (
      <p>
        Users log in at <a href={`${offer.issuer}/ui/`}>{`${offer.issuer}/ui/`}</a>.
      </p>
    );
  }
  const begin = () => {
    failure.value = undefined;
    beginLogin(offer).catch((error: unknown) => {
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
