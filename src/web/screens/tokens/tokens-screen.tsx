import { type Signal, signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { StoreAnswer } from "../../../server/rest/index.ts";
import { Age } from "../../components/age.tsx";
import { CardTable } from "../../components/card-table.tsx";
import { Button, Checkbox, Form, SelectField, TextField } from "../../components/controls.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Failure } from "../../components/failure.tsx";
import { Loading } from "../../components/loading.tsx";
import { Stored } from "../../components/stored.tsx";
import { getFailure } from "../../data/request-failed.ts";
import { useRequest } from "../../data/use-request.ts";
import { usePage } from "../../page.ts";

type Token = StoreAnswer<"list_tokens">["tokens"][number];
type NewToken = StoreAnswer<"create_token">;

/** Scopes with their rights; every memory scope includes the previous ones. */
const SCOPES = [
  ["read", "read: read memory"],
  ["propose", "propose: read, and propose memories"],
  ["write", "write: read and write memory"],
  ["decide", "decide: write, and review proposals"],
  ["admin", "admin: everything, also databases and tokens"],
  ["approve", "approve: answer the agent and stop its runs"],
  ["metrics", "metrics: read server metrics"],
] as const;

const EXPIRIES = [
  ["7d", "7 days"],
  ["30d", "30 days"],
  ["90d", "90 days"],
  ["365d", "1 year"],
  ["", "Never"],
] as const;

/**
 * The last created token. It only outlives this screen while the server rejects requests, between
 * the creation of its first token and this tab's use of it.
 */
const created: Signal<NewToken | undefined> = signal(undefined);

/** Access tokens of people and programs: create, show once, revoke. */
export function TokensScreen() {
  const { client, session, actions, toasts } = usePage();
  const { output, failure, retry } = useRequest(() => client.answer("list_tokens", "/tokens"), []);
  useEffect(
    () => () => {
      if (session.refused.peek() === undefined) created.value = undefined;
    },
    [session],
  );
  const revoke = async (name: string) => {
    const isConfirmed = await actions.confirm({
      title: `Revoke token ${name}?`,
      text: "Whoever uses it loses access immediately. This cannot be undone.",
      verb: "Revoke",
      isDestructive: true,
    });
    if (!isConfirmed) return;
    try {
      await client.send(`/tokens/${encodeURIComponent(name)}`, { method: "DELETE" });
      if (created.value?.name === name) created.value = undefined;
      toasts.tell(`Revoked token ${name}.`);
    } catch (error) {
      toasts.showError(getFailure(error).message);
    }
    retry();
  };
  if (failure !== undefined) return <Failure error={failure} retry={retry} />;
  if (output === undefined) return <Loading rows={4} />;
  const { tokens } = output;
  // A server without tokens is open; the first token restricts access to its holder.
  const isOpenServer = tokens.length === 0 && session.token === undefined;
  return (
    <div class="page-body">
      <h1>Tokens</h1>
      <p class="quiet">
        A token gives a person or a program access to this server. Its name is the author of
        everything written with it.
      </p>
      {created.value !== undefined && <CreatedToken token={created.value} />}
      {tokens.length === 0 ? (
        <p class="quiet">No tokens yet.</p>
      ) : (
        <TokenTable tokens={tokens} onRevoke={(name) => void revoke(name)} />
      )}
      {!session.isReadOnly && (
        <NewTokenForm
          isFirst={isOpenServer}
          onCreate={(token) => {
            if (isOpenServer) session.storeToken(token.token);
            created.value = token;
            retry();
          }}
        />
      )}
    </div>
  );
}

function CreatedToken({ token: { name, token } }: { readonly token: NewToken }) {
  return (
    <div class="notice warn" role="status">
      <p>
        Copy the token of <Stored as="b" text={name} /> now. It is not shown again.
      </p>
      <p class="item-actions">
        <code>{token}</code>
        <CopyButton text={token} label="Copy token" />
      </p>
    </div>
  );
}

interface TokenTableProps {
  readonly tokens: readonly Token[];
  onRevoke(name: string): void;
}

function TokenTable({ tokens, onRevoke }: TokenTableProps) {
  const { session } = usePage();
  return (
    <CardTable columns={["Name", "Scope", "Databases", "Expires", "Last used"]}>
      {tokens.map(({ name, scope, databases, expires_at: end, used_at: used }) => (
        <tr key={name}>
          <td>
            <Stored text={name} />
          </td>
          <td data-label="Scope">{scope}</td>
          <td data-label="Databases">{databases?.join(", ") ?? "all"}</td>
          <td data-label="Expires">{end?.slice(0, 10) ?? "never"}</td>
          <td data-label="Last used">{used === undefined ? "never" : <Age at={used} />}</td>
          <td class="row-menu">
            {session.canWrite && (
              <Button
                kind="quiet danger"
                aria-label={`Revoke token ${name}`}
                onClick={() => onRevoke(name)}
              >
                Revoke
              </Button>
            )}
          </td>
        </tr>
      ))}
    </CardTable>
  );
}

interface NewTokenFormProps {
  /** The first token of an open server, which this page adopts. */
  readonly isFirst: boolean;
  onCreate(token: NewToken): void;
}

function NewTokenForm({ isFirst, onCreate }: NewTokenFormProps) {
  const { client, toasts, router, session } = usePage();
  const { db } = router.location.value;
  const [name, setName] = useState("");
  const [scope, setScope] = useState<string>("write");
  const [expires, setExpires] = useState<string>("90d");
  const [isLimited, setLimited] = useState(false);
  const create = async () => {
    const body = {
      name: name.trim(),
      ...(isFirst ? { scope: "admin" } : { scope }),
      ...(expires !== "" && { expires }),
      ...(isLimited && !isFirst && { databases: [db] }),
    };
    try {
      onCreate(await client.answer("create_token", "/tokens", { method: "POST", body }));
      setName("");
    } catch (error) {
      toasts.showError(getFailure(error).message);
    }
  };
  return (
    <section>
      <h2>New token</h2>
      {isFirst && (
        <p class="notice warn">
          Anyone who reaches this server has access to it now. Once a token exists, every request
          needs one. The first token has the scope admin, and this tab uses it.
        </p>
      )}
      <Form
        class="inline-form"
        onSubmit={() => {
          if (name.trim() !== "") void create();
        }}
      >
        <TextField label="Name" value={name} placeholder="person or program" onInput={setName} />
        {!isFirst && (
          <SelectField label="Scope" value={scope} options={SCOPES} onChange={setScope} />
        )}
        <SelectField label="Expires in" value={expires} options={EXPIRIES} onChange={setExpires} />
        {!isFirst && (
          <Checkbox checked={isLimited} onChange={setLimited}>
            Only database {db}
          </Checkbox>
        )}
        <Button type="submit" kind="primary" disabled={name.trim() === "" || !session.canWrite}>
          Create token
        </Button>
      </Form>
    </section>
  );
}
