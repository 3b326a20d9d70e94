import { useEffect, useState } from "preact/hooks";
import { beginLogIn, findLogIn, isHere, type LogInOffer } from "../data/log-in.ts";
import { failureOf } from "../data/request-failed.ts";
import { usePage } from "../page.ts";

/** Where the server lets people in with their company's account; undefined until it is known. */
export function useLogIn(): LogInOffer | undefined {
  const [offer, setOffer] = useState<LogInOffer>();
  useEffect(() => {
    let isGone = false;
    void findLogIn().then((found) => {
      if (!isGone) setOffer(found);
    });
    return () => {
      isGone = true;
    };
  }, []);
  return offer;
}

export function LogInButton({ offer }: { offer: LogInOffer }) {
  const { session } = usePage();
  const { logInFailure: failure } = session;
  if (!isHere(offer)) {
    return (
      <p>
        People log in at <a href={`${offer.issuer}/ui/`}>{`${offer.issuer}/ui/`}</a>.
      </p>
    );
  }
  const begin = () => {
    failure.value = undefined;
    beginLogIn(offer).catch((error: unknown) => {
      failure.value = failureOf(error).message;
    });
  };
  return (
    <>
      <button type="button" class="button primary" onClick={begin}>
        Log in with {offer.provider}
      </button>
      {failure.value !== undefined && (
        <p class="failure" role="alert">
          {failure.value}
        </p>
      )}
    </>
  );
}
