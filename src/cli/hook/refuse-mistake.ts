import { type App, queueOf } from "../../app/index.ts";
import {
  heldText,
  mistakesAhead,
  type ToldMistake,
  updateSession,
} from "../../ingest/capture/index.ts";
import { type HookRun, sessionOf } from "./hook-run.ts";

/**
 * Refuses a call that would repeat a known mistake, once per session, if the client supports
 * refusals. Whoever writes next counts the avoided mistake, since a model waits for this.
 */
export async function refuseMistake(run: HookRun, app: App): Promise<string | undefined> {
  const { client, input, cwd } = run;
  const { tool, toolInput } = input;
  const refuse = client.hooks?.refuse;
  if (refuse === undefined || tool === undefined) return undefined;
  const memory = app.store.open();
  const ahead = await mistakesAhead(memory, { call: { tool, input: toolInput }, cwd });
  if (ahead.length === 0) return undefined;
  const { file, known, name } = sessionOf(run, app);
  const held = known.held ?? [];
  const news = ahead.filter(({ id }) => !held.includes(id));
  const note = (id: string, made: ToldMistake["made"]) => {
    const told: ToldMistake = { db: memory.name, id, session: `${client.name}:${name}`, made };
    queueOf(app).add("mistake", told);
  };
  // A `!` marks a mistake that was made anyway, so that it is counted once.
  const again = ahead.filter(({ id }) => held.includes(id) && !held.includes(`${id}!`));
  for (const { id } of news) note(id, false);
  if (news.length === 0) for (const { id } of again) note(id, true);
  const noted = news.length > 0 ? news.map(({ id }) => id) : again.map(({ id }) => `${id}!`);
  if (noted.length > 0)
    updateSession(file, (now) => ({ ...now, held: [...(now.held ?? []), ...noted] }));
  return news.length === 0 ? undefined : refuse(heldText(news));
}
