import { useEffect, useMemo, useState } from "preact/hooks";
import { type PairingLink, PhonesClient, type PhonesStanding } from "../agent/phones-client.ts";
import { Age } from "../components/age.tsx";
import { failureOf } from "../data/request-failed.ts";
import { usePage } from "../page.ts";
import { Dialog } from "./dialog.tsx";

/** A phone that has just been paired shows in the list after so long; milliseconds. */
const LOOK_MS = 2_000;
/** Every address of the computer. */
const EVERYWHERE = "0.0.0.0";

/** Phones that answer the agent: a code for a new one, and those that are let in. */
export function PairDialog({ onClose }: { onClose(): void }) {
  const { agent } = usePage();
  const phones = useMemo(() => new PhonesClient(() => agent.access.token), [agent]);
  const [standing, setStanding] = useState<PhonesStanding>();
  const [link, setLink] = useState<PairingLink>();
  const [failure, setFailure] = useState<string>();
  const tell = (error: unknown) => setFailure(failureOf(error).message);
  useEffect(() => {
    const look = () => phones.standing().then(setStanding, tell);
    void look();
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [phones]);
  const make = (wish: { address?: string; name?: string }) => {
    setFailure(undefined);
    phones.makeLink(wish).then(setLink, tell);
  };
  const revoke = (name: string) => {
    phones
      .revoke(name)
      .then(() => phones.standing())
      .then(setStanding, tell);
  };
  return (
    <Dialog title="Phones" class="pairing" onClose={onClose}>
      <p>
        A paired phone sees the threads of the agent and answers what they ask: yes or no, and why.
        It reads nothing else and changes nothing.
      </p>
      {failure !== undefined && (
        <p class="notice warn" role="alert">
          {failure}
        </p>
      )}
      {link === undefined ? (
        standing !== undefined && <NewPhone isOpen={standing.url !== undefined} onMake={make} />
      ) : (
        <Code of={link} onAnother={() => setLink(undefined)} />
      )}
      <Paired phones={standing?.phones ?? []} onRevoke={revoke} />
    </Dialog>
  );
}

interface NewPhoneProps {
  /** Phones are let in somewhere already. */
  readonly isOpen: boolean;
  onMake(wish: { address?: string; name?: string }): void;
}

function NewPhone({ isOpen, onMake }: NewPhoneProps) {
  const [address, setAddress] = useState(EVERYWHERE);
  const [name, setName] = useState("");
  return (
    <form
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        onMake({ ...(!isOpen && { address }), ...(name.trim() !== "" && { name: name.trim() }) });
      }}
    >
      {!isOpen && (
        <label>
          Listen for phones at this address of the computer, until the server ends
          <input
            value={address}
            onInput={({ currentTarget }) => setAddress(currentTarget.value.trim())}
          />
          <span class="quiet">{EVERYWHERE} is every address that it has.</span>
        </label>
      )}
      <label>
        Name of the phone; may stay empty
        <input
          value={name}
          placeholder="adas-phone"
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <button type="submit" class="button primary">
        Show a code
      </button>
    </form>
  );
}

function Code({ of, onAnother }: { readonly of: PairingLink; onAnother(): void }) {
  const { rows, url, until, warning } = of;
  const squares = rows.flatMap((row, y) =>
    [...row].flatMap((dark, x) => (dark === "1" ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <>
      <svg
        class="code"
        role="img"
        aria-label="Code that pairs a phone"
        viewBox={`0 0 ${rows.length} ${rows.length}`}
        shape-rendering="crispEdges"
      >
        <rect class="code-light" width={rows.length} height={rows.length} />
        <path class="code-dark" d={squares.join("")} />
      </svg>
      <p>
        Point the camera of the phone at it. It is good for one phone, until{" "}
        {new Date(until).toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit" })}.
      </p>
      <p class="quiet">
        Or open this address there: <code class="pairing-link">{url}</code>
      </p>
      {warning !== undefined && <p class="notice warn">{warning}</p>}
      <button type="button" class="button" onClick={onAnother}>
        Another phone
      </button>
    </>
  );
}

interface PairedProps {
  readonly phones: PhonesStanding["phones"];
  onRevoke(name: string): void;
}

function Paired({ phones, onRevoke }: PairedProps) {
  if (phones.length === 0) return <p class="quiet">No phone is paired.</p>;
  return (
    <section aria-label="Paired phones">
      <h3>Paired</h3>
      <ul class="lines">
        {phones.map(({ name, used_at: used, expires_at: end }) => (
          <li key={name} class="paired">
            <b>{name}</b>
            <span class="quiet">
              used <Age at={used} />, until {end.slice(0, 10)}
            </span>
            <button type="button" class="button danger" onClick={() => onRevoke(name)}>
              Revoke
              <span class="unseen"> {name}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
