import type { NamedAs } from "./secret-names.ts";

export interface SpokenForm {
  readonly namedAs: NamedAs;
  readonly pattern: RegExp;
}

const VALUE = "[\"'`«“„‘(]{0,2}(?<value>[^\\s\"'`«»“”‘’<>\\\\]{4,256})";
const PASSWORD =
  "(?:passwords?|passwd|passphrase|passcode|pass|pwd|pw|passwort|kennwort|contraseña|senha|mot de passe|wachtwoord|пароль)";
const KEY =
  "(?:(?:api|access|account|secret|private|signing|encryption|license|master)[ -]?key|secret|token|credentials?|key)";
/** "Key" alone is said of much else. */
const SURE_KEY = KEY.replace("|key)", ")");
const VERB =
  "(?:is|are|was|were|to|as|be|now|=|ist|lautet|war|est|es|é|является)(?: (?:now|still|currently|always|set to|just|jetzt))?";
/** What stands between a name and the verb: whose, for what. Words, so that no sentence is left. */
const WHOSE = "(?: [\\p{L}\\p{N}_@/.-]{1,40}){0,6}?";

/** How people tell each other a secret: "the admin password is …", "log in as admin / …". */
export const SPOKEN_FORMS: readonly SpokenForm[] = [
  { namedAs: "password", pattern: form(`\\b${PASSWORD}${WHOSE} ${VERB}:? {0,2}${VALUE}`) },
  { namedAs: "password", pattern: form(`(?<![\\w-])${PASSWORD}:? {1,2}${VALUE}`) },
  { namedAs: "key", pattern: form(`\\b${KEY}${WHOSE} ${VERB}:? {0,2}${VALUE}`) },
  { namedAs: "key", pattern: form(`\\b${SURE_KEY}:? {1,2}${VALUE}`) },
  { namedAs: "key", pattern: form(`\\b(?:bearer|apikey|api-key) {1,3}${VALUE}`) },
  {
    namedAs: "password",
    pattern: form(
      `\\b(?:log ?in|login|sign in|credentials?|creds|account|zugangsdaten)(?: [\\w]{1,20}){0,3}?:? [\\w.@+-]{2,60} ?[/:] ?${VALUE}`,
    ),
  },
  {
    namedAs: "password",
    pattern: /\b(?:PIN|pin code|Pin)(?: (?:is|code|:))? {1,2}(?<value>[0-9]{4,8})\b/dg,
  },
];

function form(source: string): RegExp {
  return new RegExp(source, "dgiu");
}
