import type { RequestFailed } from "../data/request-failed.ts";
import { Button } from "./controls.tsx";

/** Shows a failed request with a retry; an unknown item cannot be retried. */
export function Failure({ error, retry }: { readonly error: RequestFailed; retry?(): void }) {
  return (
    <div class="failure" role="alert">
      <p>
        {error.code === "not_found" ? `Not found: ${withoutField(error.message)}` : error.message}
      </p>
      {retry !== undefined && error.code !== "not_found" && (
        <Button onClick={retry}>Try again</Button>
      )}
    </div>
  );
}

/** Removes the name of the input field that the API puts first: `episode_id: there is no …`. */
function withoutField(message: string): string {
  return message.replace(/^\w+: /, "");
}
