import { SignJWT, UnsecuredJWT } from "jose";
import { expect, it, onTestFinished } from "vitest";
import { TokenVerifier } from "../../../src/access/identity/token-verifier.ts";
import { startCompany } from "./support/company.ts";

const AUDIENCE = "https://memory.example.org";

it("accepts only current tokens that the issuer signed for the audience", async () => {
  const company = await startCompany([]);
  onTestFinished(() => company.close());
  const verify = (token: string) =>
    new TokenVerifier().verify(token, { issuer: company.issuer, audience: AUDIENCE });
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: company.issuer, aud: AUDIENCE, sub: "x", iat: now, exp: now + 60 };
  expect(await verify(await company.sign(claims))).toMatchObject({ sub: "x" });
  const secret = new TextEncoder().encode(JSON.stringify(company.publicKey()));
  const signedWithPublicKey = await new SignJWT(claims)
    .setProtectedHeader({ alg: "HS256", kid: "key-1" })
    .sign(secret);
  for (const token of [
    new UnsecuredJWT(claims).encode(),
    signedWithPublicKey,
    "no.token.atall",
    await company.sign({ ...claims, aud: "https://other.example" }),
    await company.sign({ ...claims, exp: now - 300 }),
    await company.sign({ ...claims, iss: "https://evil.example" }),
    await company.sign({ ...claims, nbf: now + 3_000 }),
  ]) {
    await expect(verify(token)).rejects.toMatchObject({ code: "unauthorized" });
  }
});
