import type { RequestFailed } from "../data/request-failed.ts";

/** The server's own words, which name the cure, and another try. */
export function Failure({ of, again }: { readonly of: RequestFailed; again?(): void }) {
  return (
    <div class="failure" role="alert">
      <p>{of.message}</p>
      <p class="quiet">
        <code>{of.code}</code>
        {again !== undefined && (
          <button type="button" class="button" onClick={again}>
            Try again
          </button>
        )}
      </p>
    </div>
  );
}
