import type { Shape } from "../shape.ts";
import { applied, remembered } from "./apply.ts";
import { concept, conflict, episode, fact, proposal } from "./details.ts";
import { recalled } from "./recall.ts";
import {
  edge,
  entity,
  event,
  failure,
  item,
  labelCount,
  opResult,
  suggestion,
  topic,
} from "./rows.ts";
import { stats } from "./stats.ts";

/** In order of precedence. Records that match none are shown field by field. */
export const SHAPES: readonly Shape[] = [
  recalled,
  applied,
  stats,
  item,
  conflict,
  fact,
  concept,
  proposal,
  episode,
  opResult,
  remembered,
  event,
  entity,
  labelCount,
  topic,
  suggestion,
  edge,
  failure,
];
