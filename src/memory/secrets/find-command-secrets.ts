import type { FoundSecret, NamedAs } from "./judge-value.ts";
import { isSecretValue } from "./judge-value.ts";

interface CommandForm {
  readonly namedAs: NamedAs;
  /** Programs to which the option belongs; undefined if the option is unambiguous. */
  readonly programs?: RegExp;
  readonly pattern: RegExp;
}

const VALUE_PATTERN =
  "(?:\"(?<quoted>[^\"\\n\\\\]{3,256})\"|'(?<single>[^'\\n]{3,256})'|(?<bare>[^\\s\"'`|;&<>\\\\]{3,256}))";

/** `-u admin:…`: the user name is public, the password secret. */
const USER_AND_PASSWORD = "(?:[\"']?)[^\\s:\"']{0,64}:[\"']?(?<bare>[^\\s\"'`<>\\\\]{3,256})";

export const COMMAND_FORMS: readonly CommandForm[] = [
  {
    namedAs: "password",
    programs: /\b(?:curl|wget|https?|xh|ab|siege|newman)\b/,
    pattern: optionPattern(
      `(?:-u|--user|--proxy-user|-U|-a|--auth|-A)(?:=| {0,3})${USER_AND_PASSWORD}`,
    ),
  },
  {
    namedAs: "password",
    programs:
      /\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump|sshpass|plink|pscp)\b/,
    pattern: optionPattern(`-pw? {0,1}(?!ort|ro|rint)${VALUE_PATTERN}`),
  },
  {
    namedAs: "password",
    programs:
      /\b(?:docker|podman|helm|oc|az|mongo|mongosh|mongodump|unzip|7z|zip|redis-cli|keytool|cqlsh|influx|clickhouse-client|htpasswd|ansible-vault|rclone|net)\b/,
    pattern: optionPattern(`(?:-p|-a|-P|-w)[ =]{1,2}${VALUE_PATTERN}`),
  },
  {
    namedAs: "password",
    programs:
      /\b(?:sqlcmd|bcp|ldapsearch|ldapadd|ldapmodify|ipmitool|snmpwalk|smbclient|xfreerdp|rdesktop)\b/,
    pattern: optionPattern(`(?:-P|-w|/p:|-A|-p) {0,1}${VALUE_PATTERN}`),
  },
  {
    namedAs: "password",
    pattern: optionPattern(
      `--(?:[a-z]{2,20}-){0,3}(?:password|passwd|pass|passphrase|pwd|pw)(?:=| {1,3})${VALUE_PATTERN}`,
    ),
  },
  {
    namedAs: "key",
    pattern: optionPattern(
      `--(?:[a-z]{2,20}-){0,3}(?:token|api-?key|secret|secret-?key|access-?key|auth-?key|key|credentials?|authkey)(?:=| {1,3})${VALUE_PATTERN}`,
    ),
  },
  { namedAs: "password", pattern: optionPattern(`-pass(?:in|out)? {1,2}pass:${VALUE_PATTERN}`) },
  { namedAs: "password", pattern: optionPattern(`-(?:store|key)pass {1,2}${VALUE_PATTERN}`) },
  {
    namedAs: "password",
    pattern:
      /\becho {1,3}(?:-n {1,2})?["']?(?<bare>[^\s"'|]{3,256})["']? {0,3}\| {0,3}(?:sudo -S|docker login|passwd|chpasswd|podman login|gh auth)/dg,
  },
  {
    namedAs: "key",
    pattern:
      /\b(?:vault|gh auth|doctl auth|tailscale) (?:login|init|up)(?: -t)? (?<bare>[^\s"'-][^\s"']{9,256})/dg,
  },
  {
    namedAs: "key",
    pattern:
      /\b(?:aws configure|npm config|git config|heroku config:|config) ?set [\w./:-]{1,80}(?:token|secret|key|password) ?[ =]["']?(?<bare>[^\s"']{4,256})/dgi,
  },
];

function optionPattern(source: string): RegExp {
  return new RegExp(`(?<=[\\s"'(])${source}`, "dg");
}

const MAX_LINE_CHARACTERS = 400;

/** Cheap filter: every form contains one of these. */
const COMMAND_MARKERS = ["-", "/p:", "echo", "login", "init", "up", "set "];

export function findCommandSecrets(text: string): FoundSecret[] {
  const lower = text.toLowerCase();
  if (!COMMAND_MARKERS.some((marker) => lower.includes(marker))) return [];
  const found: FoundSecret[] = [];
  for (const { namedAs, programs, pattern } of COMMAND_FORMS) {
    if (programs !== undefined && !programs.test(text)) continue;
    for (const match of text.matchAll(pattern)) {
      if (programs !== undefined && !programs.test(textBeforeOnLine(text, match.index))) continue;
      const secret = findCapturedSecret(match, namedAs);
      if (secret !== undefined) found.push(secret);
    }
  }
  return found;
}

function textBeforeOnLine(text: string, index: number): string {
  const before = text
    .slice(Math.max(0, index - MAX_LINE_CHARACTERS), index)
    .replaceAll("\\\n", "  ");
  return before.slice(Math.max(before.lastIndexOf("\n"), before.lastIndexOf("|")) + 1);
}

function findCapturedSecret(match: RegExpExecArray, namedAs: NamedAs): FoundSecret | undefined {
  for (const group of ["quoted", "single", "bare"]) {
    const [start] = match.indices?.groups?.[group] ?? [];
    if (start === undefined) continue;
    const value = (match.groups?.[group] ?? "").replace(/[.,;:)\]}]{1,4}$/, "");
    const form = group === "bare" ? "bare" : "quoted";
    if (!isSecretValue({ value, namedAs, form })) return undefined;
    return { start, end: start + value.length, kind: namedAs };
  }
  return undefined;
}
