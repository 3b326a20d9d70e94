import type { CliCommand } from "../cli-command.ts";
import { access } from "./access.ts";
import { acp } from "./acp.ts";
import { agent } from "./agent.ts";
import { apply } from "./apply.ts";
import { audit } from "./audit.ts";
import { complete } from "./complete.ts";
import { config } from "./config.ts";
import { connect } from "./connect.ts";
import { daemon } from "./daemon.ts";
import { databases } from "./databases.ts";
import { db } from "./db.ts";
import { doctor } from "./doctor.ts";
import { edit } from "./edit.ts";
import { events } from "./events.ts";
import { exportCommand } from "./export.ts";
import { hook } from "./hook.ts";
import { importCommand } from "./import.ts";
import { init } from "./init.ts";
import { learn } from "./learn.ts";
import { log } from "./log.ts";
import { login, logout } from "./login.ts";
import { mcp } from "./mcp.ts";
import { migrate } from "./migrate.ts";
import { purge } from "./purge.ts";
import { reindex } from "./reindex.ts";
import { review } from "./review.ts";
import { run } from "./run.ts";
import { serve } from "./serve.ts";
import { sessions } from "./sessions.ts";
import { show } from "./show.ts";
import { sync } from "./sync.ts";
import { token } from "./token.ts";
import { trust } from "./trust.ts";
import { ui } from "./ui.ts";
import { uiServer } from "./ui-server.ts";
import { why } from "./why.ts";
import { worktree } from "./worktree.ts";

export const commands: readonly CliCommand[] = [
  agent,
  run,
  worktree,
  sessions,
  audit,
  trust,
  login,
  logout,
  apply,
  learn,
  events,
  log,
  show,
  review,
  why,
  edit,
  purge,
  databases,
  db,
  init,
  config,
  complete,
  daemon,
  doctor,
  reindex,
  migrate,
  exportCommand,
  importCommand,
  sync,
  serve,
  token,
  access,
  ui,
  mcp,
  uiServer,
  acp,
  connect,
  hook,
];
