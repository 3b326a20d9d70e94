import { useLonger } from "../components/waiting.tsx";
import { usePage } from "../page.ts";

export function Banner() {
  const { session, live } = usePage();
  const isLost = useLonger(600, session.connection.value === "lost");
  if (session.isOutdated.value) {
    return (
      <div class="banner" role="status">
        The server was updated.
        <button type="button" class="button" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    );
  }
  if (!isLost) return null;
  return (
    <div class="banner warn" role="status">
      Server unreachable. Changes are disabled until it is back.
      <button type="button" class="button" onClick={() => live.again()}>
        Retry
      </button>
    </div>
  );
}
