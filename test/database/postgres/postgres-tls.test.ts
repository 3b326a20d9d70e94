import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { openDatabaseBackend } from "../../../src/database/index.ts";
import { CertificateAuthority, type Certified } from "../../support/certificates.ts";
import { describeOnPostgres, takePostgresDatabase } from "../../support/postgres/test-database.ts";
import { TlsFront } from "../../support/postgres/tls-front.ts";

let ours: CertificateAuthority;
let foreign: CertificateAuthority;

beforeAll(() => {
  [ours, foreign] = [new CertificateAuthority("ours"), new CertificateAuthority("foreign")];
});

interface Connection {
  /** The server's certificate; undefined for none. */
  readonly certified: Certified | undefined;
  readonly host?: string;
  /** URL parameters. FILE is replaced by the path of our authority's certificate. */
  readonly parameters: string;
}

async function namesOver({ certified, host = "127.0.0.1", parameters }: Connection) {
  const server = takePostgresDatabase();
  const folder = mkdtempSync(join(tmpdir(), "cairn-tls-"));
  const file = join(folder, "ca.pem");
  writeFileSync(file, ours.cert);
  const front = await TlsFront.start(Number(new URL(server.url).port), certified);
  const url = Object.assign(new URL(server.url), { port: String(front.port), hostname: host });
  const address = `${url.href}?${parameters.replace("FILE", encodeURIComponent(file))}`;
  const backend = openDatabaseBackend({ folder: "", address, isName: () => true });
  onTestFinished(async () => {
    await backend.close();
    await front[Symbol.asyncDispose]();
    server[Symbol.dispose]();
    rmSync(folder, { recursive: true });
  });
  await backend.create("shop");
  return (await backend.list()).map(({ name }) => name);
}

const VERIFY = "sslmode=verify-full&sslrootcert=FILE";

describeOnPostgres("an encrypted connection to PostgreSQL", () => {
  it("accepts a certificate of the named authority for the host name", async () => {
    const certified = ours.certify("localhost");
    expect(await namesOver({ certified, host: "localhost", parameters: VERIFY })).toEqual(["shop"]);
  });

  it("accepts a certificate for an IP address", async () => {
    const certified = ours.certify("127.0.0.1");
    expect(await namesOver({ certified, parameters: VERIFY })).toEqual(["shop"]);
  });

  it.each([
    ["is signed by somebody else", () => foreign.certify("localhost"), "sslrootcert"],
    ["is for another name", () => ours.certify("db.example"), "another name"],
  ])("is rejected by verify-full if the certificate %s", async (_title, certify, why) => {
    const refused = namesOver({ certified: certify(), host: "localhost", parameters: VERIFY });
    await expect(refused).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining(why),
    });
  });

  it("checks only the authority with verify-ca, and nothing with require", async () => {
    const named = { certified: ours.certify("db.example"), host: "localhost" };
    const byCa = { ...named, parameters: "sslmode=verify-ca&sslrootcert=FILE" };
    expect(await namesOver(byCa)).toEqual(["shop"]);
    const unknown = { ...byCa, certified: foreign.certify("localhost") };
    await expect(namesOver(unknown)).rejects.toMatchObject({ code: "unavailable" });
    expect(await namesOver({ ...unknown, parameters: "sslmode=require" })).toEqual(["shop"]);
  });

  it("never falls back to an unencrypted connection", async () => {
    const open = { certified: undefined, parameters: "sslmode=require" };
    await expect(namesOver(open)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("does not support encryption"),
    });
  });

  it("names a missing certificate file", async () => {
    const parameters = "sslmode=verify-full&sslrootcert=/nowhere/ca.pem";
    const refused = namesOver({ certified: ours.certify("127.0.0.1"), parameters });
    await expect(refused).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/sslrootcert.*\/nowhere\/ca\.pem/),
    });
  });
});
