import { useEffect } from "preact/hooks";
import type { AgentConnection } from "../../agent/agent-connection.ts";
import { ItemLink } from "../../components/link.tsx";
import { Said } from "../../components/said.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { Dialog } from "../../shell/dialog.tsx";

interface ToldDialogProps {
  readonly connection: AgentConnection;
  readonly threadId: string;
  onClose(): void;
}

/** All that memory gave to the model on a thread. What is wrong is put right on its own screen. */
export function ToldDialog({ connection, threadId, onClose }: ToldDialogProps) {
  useEffect(() => {
    connection.answers.told.value = undefined;
    connection.send({ type: "thread.told", payload: { threadId } });
  }, [connection, threadId]);
  const told = connection.answers.told.value;
  const isNothing = told?.atStart.length === 0 && told.since.length === 0;
  return (
    <Dialog title="What memory gave it" onClose={onClose}>
      <div class="fields" onClick={(event) => closeOnLink(event, onClose)}>
        {told === undefined && <p class="quiet">Asking …</p>}
        {isNothing && <p>Nothing so far since the thread was opened.</p>}
        {told !== undefined && told.since.length > 0 && (
          <section>
            <h3>With messages and calls</h3>
            <ul class="lines">
              {told.since.map(({ id, text }) => (
                <li key={id}>
                  <ItemLink id={id}>
                    <code class="id">{id}</code> <Said text={text} />
                  </ItemLink>
                </li>
              ))}
            </ul>
          </section>
        )}
        {told !== undefined && told.atStart.length > 0 && (
          <section>
            <h3>At the start, before the first message</h3>
            <ul class="lines">
              {told.atStart.map((id) => (
                <li key={id}>
                  <ItemLink id={id}>
                    <code class="id">{id}</code> <TextOf id={id} />
                  </ItemLink>
                </li>
              ))}
            </ul>
          </section>
        )}
        {!isNothing && (
          <p class="quiet">
            Is one of them wrong? Open it to correct, supersede or forget it; the label{" "}
            <code>told=never</code> keeps it and tells it to nobody unasked.
          </p>
        )}
      </div>
    </Dialog>
  );
}

function closeOnLink(event: Event, onClose: () => void): void {
  if (event.target instanceof Element && event.target.closest("a") !== null) onClose();
}

function TextOf({ id }: { readonly id: string }) {
  const episode = useQuestion("get_episode", { episode_id: id }, { when: id.startsWith("ep:") });
  const fact = useQuestion("get_fact", { fact_id: id }, { when: id.startsWith("fact:") });
  const concept = useQuestion(
    "get_concept",
    { concept_id: id },
    { when: id.startsWith("concept:") },
  );
  const text = episode.output?.content ?? fact.output?.statement ?? concept.output?.summary ?? "";
  return <Said text={text} />;
}
