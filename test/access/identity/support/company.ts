import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import Provider from "oidc-provider";

export interface Account {
  readonly email: string;
  readonly name?: string;
  groups?: readonly string[];
  email_verified?: boolean;
}

export interface Company {
  readonly issuer: string;
  readonly accounts: Record<string, Account>;
  /** Account that is logged in at the provider. */
  logsInAs: string;
  tamper: ((claims: Record<string, unknown>) => Record<string, unknown>) | undefined;
  isAway: boolean;
  sign(claims: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
  rotateKeys(): Promise<void>;
  publicKey(): JWK;
  close(): Promise<void>;
}

export const CLIENT = { clientId: "cairn", clientSecret: "a-secret-of-the-company" };

interface Keys {
  readonly privateKey: Awaited<ReturnType<typeof generateKeyPair>>["privateKey"];
  readonly jwk: JWK;
  readonly kid: string;
}

async function newKeys(kid: string): Promise<Keys> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid, alg: "RS256", use: "sig" };
  return { privateKey, jwk, kid };
}

export async function startCompany(redirectUris: readonly string[]): Promise<Company> {
  let handler: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  const server = createServer((request, response) => {
    if (company.isAway) request.socket.destroy();
    else handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let generation = 1;
  let keys = await newKeys("key-1");
  const company: Company = {
    issuer,
    accounts: {
      ada: { email: "ada@example.org", name: "Ada", groups: ["dev", "leads"] },
      bruno: { email: "bruno@example.org", groups: ["dev"] },
    },
    logsInAs: "ada",
    tamper: undefined,
    isAway: false,
    async sign(claims, header = {}) {
      const now = Math.floor(Date.now() / 1000);
      return new SignJWT({ iss: issuer, iat: now, exp: now + 300, ...claims })
        .setProtectedHeader({ alg: "RS256", kid: keys.kid, ...header })
        .sign(keys.privateKey);
    },
    async rotateKeys() {
      generation += 1;
      keys = await newKeys(`key-${generation}`);
      handler = serve();
    },
    publicKey() {
      const { d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...open } = keys.jwk;
      return open;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const serve = () => {
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT.clientId,
          client_secret: CLIENT.clientSecret,
          redirect_uris: [...redirectUris],
          grant_types: ["authorization_code", "refresh_token"],
          token_endpoint_auth_method: "client_secret_post",
        },
      ],
      jwks: { keys: [keys.jwk] },
      cookies: { keys: ["for tests"] },
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups"] },
      conformIdTokenClaims: false,
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
      issueRefreshToken: () => Promise.resolve(true),
      findAccount: (_ctx, id) => {
        const account = company.accounts[id];
        if (account === undefined) return undefined;
        return {
          accountId: id,
          claims: () => ({ sub: id, email_verified: true, ...account }),
        };
      },
      async loadExistingGrant(ctx) {
        const grant = new ctx.oidc.provider.Grant({
          clientId: ctx.oidc.client?.clientId ?? "",
          accountId: ctx.oidc.session?.accountId ?? "",
        });
        grant.addOIDCScope("openid profile email offline_access");
        await grant.save();
        return grant;
      },
    });
    provider.use(async (ctx, next) => {
      await next();
      const body = ctx.body as { id_token?: string } | undefined;
      if (ctx.path !== "/token" || company.tamper === undefined || body?.id_token === undefined)
        return;
      const output = JSON.parse(
        Buffer.from(body.id_token.split(".")[1] ?? "", "base64url").toString(),
      );
      ctx.body = { ...body, id_token: await company.sign(company.tamper(output)) };
    });
    const callback = provider.callback();
    return (request: IncomingMessage, response: ServerResponse) => {
      if (request.url?.startsWith("/interaction/") !== true) {
        callback(request, response);
        return;
      }
      void provider.interactionFinished(request, response, {
        login: { accountId: company.logsInAs, remember: false },
      });
    };
  };
  handler = serve();
  return company;
}
