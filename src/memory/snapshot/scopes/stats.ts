import { loadStats } from "../../stats/load-stats.ts";
import type { ScopeReader } from "../scope.ts";

export const stats: ScopeReader = ({ tx }) => loadStats(tx);
