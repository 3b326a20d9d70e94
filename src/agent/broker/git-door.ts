import type { BrokerAnswer, BrokerRequest, Door } from "./door.ts";
import { exported } from "./door.ts";
import { forward } from "./forward.ts";
import { gitLogin } from "./git-login.ts";
import { answerOverSsh, type GitService } from "./git-over-ssh.ts";
import { type GitRemote, plainPath } from "./git-remotes.ts";

/** Of git's protocol over http. */
const OF_GIT = /^(.+?)\/(info\/refs|git-upload-pack|git-receive-pack)$/;

/** Reaches the remotes that the project had when this was made, over http and ssh. */
export class GitDoor implements Door {
  readonly #remotes: readonly GitRemote[];
  readonly #environment: Readonly<Record<string, string>>;

  constructor(remotes: readonly GitRemote[], environment: Readonly<Record<string, string>>) {
    this.#remotes = remotes;
    this.#environment = environment;
  }

  lead(address: string): string {
    // What the person's own config makes of an address is longer never than the whole of it, which wins.
    const whole = this.#remotes.flatMap(({ written, origin, path }) => {
      const key = `url.${address}/${encodeURIComponent(origin)}${path}.git`;
      return [
        [`${key}.insteadOf`, written],
        [`${key}.pushInsteadOf`, written],
      ];
    });
    // The same repository may be named otherwise in a command.
    const prefixes = new Map(
      this.#remotes.flatMap(({ origin, ssh }) =>
        prefixesOf(origin, ssh !== undefined && ssh.port === undefined).map(
          (prefix) => [prefix, origin] as const,
        ),
      ),
    );
    const settings = [
      ...whole,
      ...[...prefixes].map(([prefix, origin]) => [
        `url.${address}/${encodeURIComponent(origin)}/.insteadOf`,
        prefix,
      ]),
      ["credential.helper", ""],
    ];
    const numbered = settings.flatMap(([key = "", value = ""], at) => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]);
    return exported({ GIT_CONFIG_COUNT: `${settings.length}`, ...Object.fromEntries(numbered) });
  }

  async answer(request: BrokerRequest): Promise<BrokerAnswer> {
    const { search, publishes, note } = request;
    const [encoded = "", ...parts] = request.path.split("/");
    const origin = decodeURIComponent(encoded);
    const [, repository = "", asked = ""] = OF_GIT.exec(`/${parts.join("/")}`) ?? [];
    const remote = this.#remotes.find(
      (one) => one.origin === origin && one.path === plainPath(repository),
    );
    if (remote === undefined) throw new Error("It is no remote of this project.");
    const sends = `${asked}${search}`.includes("git-receive-pack");
    if (sends && !publishes) throw new Error("This command was not allowed to push.");
    const use = `git ${sends ? "push to" : "fetch from"} ${origin}${plainPath(repository)}.git`;
    if (remote.ssh !== undefined) {
      const service: GitService = sends ? "git-receive-pack" : "git-upload-pack";
      const isKnown = asked === service || search === `?service=${service}`;
      if (!isKnown) throw new Error("It is no request of git's.");
      await note(use);
      return answerOverSsh(request, { place: remote.ssh, service, environment: this.#environment });
    }
    const authorization = await gitLogin(origin, repository, this.#environment);
    if (authorization !== undefined) await note(use);
    return forward(request, {
      url: new URL(`${origin}${repository}/${asked}${search}`),
      authorization,
    });
  }
}

/** How addresses of one place begin. */
function prefixesOf(origin: string, hasShortForm: boolean): readonly string[] {
  if (!hasShortForm) return [`${origin}/`];
  return [`${origin}/`, `${origin.slice("ssh://".length)}:`];
}
