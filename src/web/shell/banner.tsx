import { useLonger } from "../components/waiting.tsx";
import { usePage } from "../page.ts";

export function Banner() {
  const { session, live } = usePage();
  const isLost = useLonger(600, session.connection.value === "lost");
  if (session.isOutdated.value) {
    return (
      <div class="banner" role="status">
        The server was replaced by another version.
        <button type="button" class="button" onClick={() => location.reload()}>
          Reload the page
        </button>
      </div>
    );
  }
  if (!isLost) return null;
  return (
    <div class="banner warn" role="status">
      The server does not answer. What is shown stays; nothing can be changed until it is back.
      <button type="button" class="button" onClick={() => live.again()}>
        Try now
      </button>
    </div>
  );
}
