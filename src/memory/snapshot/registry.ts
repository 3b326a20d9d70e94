import type { Scope } from "./define-scope.ts";
import { bootstrap } from "./scopes/bootstrap.ts";
import { concept } from "./scopes/concept.ts";
import { conflicts } from "./scopes/conflicts.ts";
import { entity } from "./scopes/entity.ts";
import { events } from "./scopes/events.ts";
import { label } from "./scopes/label.ts";
import { labels } from "./scopes/labels.ts";
import { pending } from "./scopes/pending.ts";
import { proposals } from "./scopes/proposals.ts";
import { query } from "./scopes/query.ts";
import { recent } from "./scopes/recent.ts";
import { stats } from "./scopes/stats.ts";
import { topic } from "./scopes/topic.ts";

export const SCOPES = [
  bootstrap,
  pending,
  conflicts,
  proposals,
  labels,
  stats,
  recent,
  concept,
  entity,
  label,
  query,
  events,
  topic,
] as const satisfies readonly Scope[];

type BuiltIn = { [Definition in (typeof SCOPES)[number] as Definition["name"]]: Definition };

export type ScopeName = keyof BuiltIn;

export type SectionOf<Name extends ScopeName> = Awaited<ReturnType<BuiltIn[Name]["read"]>>;
