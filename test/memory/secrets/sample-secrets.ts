import { seededRandom } from "../../../bench/support/synthetic-text.ts";

export interface SampleSecret {
  readonly text: string;
  readonly secret: string;
}

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const HEX = "0123456789abcdef";
const ALNUM = LOWER + LOWER.toUpperCase() + DIGITS;
const BASE64 = `${ALNUM}+/`;
const URLSAFE = `${ALNUM}-_`;
const SIGNS = "!#%^*?";

/**
 * Generates random secrets in common formats. They differ from the examples that the rules were
 * written for, and are not literals, so that secret scanners ignore this file.
 */
export function sampleSecrets(seed: number): SampleSecret[] {
  const random = seededRandom(seed);
  const draw = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join("");
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const base64Of = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

  const tokens: readonly string[] = [
    `ghp_${draw(ALNUM, 36)}`,
    `gho_${draw(ALNUM, 36)}`,
    `ghs_${draw(ALNUM, 36)}`,
    `github_pat_${draw(ALNUM, 22)}_${draw(ALNUM, 59)}`,
    `glpat-${draw(URLSAFE, 20)}`,
    `gldt-${draw(URLSAFE, 20)}`,
    `glrt-${draw(URLSAFE, 20)}`,
    `npm_${draw(ALNUM, 36)}`,
    `pypi-AgEIcHlwaS5vcmc${draw(URLSAFE, 120)}`,
    `rubygems_${draw(HEX, 48)}`,
    `dckr_pat_${draw(URLSAFE, 27)}`,
    `AKIA${draw("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16)}`,
    `ASIA${draw("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16)}`,
    `AIza${draw(URLSAFE, 35)}`,
    `GOCSPX-${draw(URLSAFE, 28)}`,
    `ya29.${draw(URLSAFE, 120)}`,
    `${draw(ALNUM, 3)}${draw(DIGITS, 1)}Q~${draw(ALNUM, 34)}`,
    `dop_v1_${draw(HEX, 64)}`,
    `HRKU-AA${draw(ALNUM, 58)}`,
    `fo1_${draw(URLSAFE, 43)}`,
    `nfp_${draw(ALNUM, 36)}`,
    `tskey-auth-${draw(ALNUM, 12)}-${draw(ALNUM, 32)}`,
    `hvs.${draw(ALNUM, 95)}`,
    `dp.pt.${draw(ALNUM, 43)}`,
    `AGE-SECRET-KEY-1${draw("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)}`,
    `${draw(ALNUM, 14)}.atlasv1.${draw(ALNUM, 67)}`,
    `sk-ant-api03-${draw(URLSAFE, 93)}AA`,
    `sk-proj-${draw(ALNUM, 74)}T3BlbkFJ${draw(ALNUM, 74)}`,
    `sk-${draw(ALNUM, 48)}`,
    `hf_${draw(ALNUM, 34)}`,
    `r8_${draw(ALNUM, 37)}`,
    `gsk_${draw(ALNUM, 52)}`,
    `pplx-${draw(ALNUM, 48)}`,
    `xai-${draw(ALNUM, 80)}`,
    `nvapi-${draw(URLSAFE, 64)}`,
    `lsv2_pt_${draw(HEX, 32)}_${draw(HEX, 10)}`,
    `sk_live_${draw(ALNUM, 24)}`,
    `rk_live_${draw(ALNUM, 99)}`,
    `sk_test_${draw(ALNUM, 24)}`,
    `whsec_${draw(ALNUM, 32)}`,
    `sq0atp-${draw(URLSAFE, 22)}`,
    `shpat_${draw(HEX, 32)}`,
    `rzp_live_${draw(ALNUM, 14)}`,
    `xoxb-${draw(DIGITS, 12)}-${draw(DIGITS, 12)}-${draw(ALNUM, 24)}`,
    `xoxp-${draw(DIGITS, 12)}-${draw(DIGITS, 12)}-${draw(DIGITS, 12)}-${draw(HEX, 32)}`,
    `xapp-1-A${draw("ABCDEFGHJK0123456789", 10)}-${draw(DIGITS, 13)}-${draw(HEX, 64)}`,
    `https://hooks.slack.com/services/T${draw("ABCDEFGH0123456789", 8)}/B${draw("ABCDEFGH0123456789", 8)}/${draw(ALNUM, 24)}`,
    `M${draw(ALNUM, 23)}.${draw(URLSAFE, 6)}.${draw(URLSAFE, 38)}`,
    `https://discord.com/api/webhooks/${draw(DIGITS, 18)}/${draw(URLSAFE, 68)}`,
    `${draw("123456789", 10)}:AA${draw(URLSAFE, 33)}`,
    `SK${draw(HEX, 32)}`,
    `SG.${draw(URLSAFE, 22)}.${draw(URLSAFE, 43)}`,
    `key-${draw(HEX, 32)}`,
    `${draw(HEX, 32)}-us${draw("123456789", 1)}`,
    `xkeysib-${draw(HEX, 64)}-${draw(ALNUM, 16)}`,
    `re_${draw(ALNUM, 8)}_${draw(ALNUM, 24)}`,
    `dapi${draw(HEX, 32)}`,
    `pscale_tkn_${draw(ALNUM, 43)}`,
    `sbp_${draw(HEX, 40)}`,
    `pat${draw(ALNUM, 14)}.${draw(HEX, 64)}`,
    `ntn_${draw(DIGITS, 11)}${draw(ALNUM, 35)}`,
    `lin_api_${draw(ALNUM, 40)}`,
    `ATATT3${draw(URLSAFE, 180)}`,
    `figd_${draw(URLSAFE, 40)}`,
    `PMAK-${draw(HEX, 24)}-${draw(HEX, 34)}`,
    `sntryu_${draw(HEX, 64)}`,
    `glsa_${draw(ALNUM, 32)}_${draw(HEX, 8)}`,
    `NRAK-${draw("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", 27)}`,
    `dt0c01.${draw("ABCDEFGHIJKLMNOP234567", 24)}.${draw("ABCDEFGHIJKLMNOP234567", 64)}`,
    `cairn_${draw(URLSAFE, 43)}`,
    `${base64Of({ alg: "HS256", typ: "JWT" })}.${base64Of({ sub: draw(DIGITS, 8), exp: 1 })}.${draw(URLSAFE, 43)}`,
  ];
  const around: readonly ((token: string) => string)[] = [
    (token) => `CI pushes the images with ${token} since May.`,
    (token) => `client = Client("${token}")`,
    (token) => `- run: deploy.sh ${token}`,
    (token) => `Ada gave me ${token}, it lasts until Friday.`,
  ];
  const password = () =>
    pick([
      () =>
        `${pick(["Winter", "Falcon", "Kiesel", "blue", "Octo"])}${draw(DIGITS, 4)}${draw(SIGNS, 1)}`,
      () => draw(ALNUM, 6) + draw(DIGITS, 2) + draw(SIGNS, 1),
      () => `${draw(LOWER, 5)}${draw(DIGITS, 3)}`,
      () => `${draw(ALNUM, 9)}${draw(DIGITS, 1)}@${draw(ALNUM, 4)}`,
    ])();
  const key = () =>
    pick([() => draw(HEX, 32), () => draw(ALNUM, 24), () => `${draw(BASE64, 43)}=`])();

  const withPassword: readonly ((secret: string) => string)[] = [
    (secret) => `DB_PASSWORD=${secret}`,
    (secret) => `export POSTGRES_PASSWORD='${secret}'`,
    (secret) => `spring.datasource.password=${secret}`,
    (secret) => `  password: "${secret}"`,
    (secret) => `{"user":"app","password":"${secret}","ssl":true}`,
    (secret) => `db = connect(host="db1", user="app", password="${secret}")`,
    (secret) => `Server=db1;Database=shop;User Id=app;Password=${secret};Encrypt=true`,
    (secret) => `<password>${secret}</password>`,
    (secret) => `process.env.SMTP_PASS = "${secret}";`,
    (secret) => `The admin password is ${secret}`,
    (secret) => `the root password for the staging box is now ${secret}.`,
    (secret) => `We changed the wifi password to ${secret} yesterday.`,
    (secret) => `Das Passwort für den Server lautet ${secret}`,
    (secret) => `You can log in as admin with password ${secret}`,
    (secret) => `curl -s -u deploy:${secret} https://registry.internal/v2/_catalog`,
    (secret) => `curl --user 'ci:${secret}' https://nexus.internal/repository`,
    (secret) => `mysql -h db1 -u root -p${secret} shop < dump.sql`,
    (secret) => `mysqldump --user=root --password=${secret} shop`,
    (secret) => `sshpass -p ${secret} ssh ops@10.0.0.4`,
    (secret) => `PGPASSWORD=${secret} psql -h db1 -U app`,
    (secret) => `docker login -u ci -p ${secret} registry.internal`,
    (secret) => `redis-cli -h cache -a ${secret} ping`,
    (secret) => `az login --username ada --password ${secret}`,
    (secret) => `postgres://app:${secret.replaceAll(/[@#%?!^*/]/g, "x")}@db1:5432/shop`,
    (secret) => `amqp://ci:${secret.replaceAll(/[@#%?!^*/]/g, "x")}@mq1/jobs`,
    (secret) => `keytool -storepass ${secret} -list`,
    (secret) => `mot de passe: ${secret}`,
    (secret) => `pw: ${secret}`,
    (secret) => `DATABASE_PASSWORD: ${secret}`,
    (secret) => `kubectl create secret generic db --from-literal=password=${secret}`,
  ];
  const withKey: readonly ((secret: string) => string)[] = [
    (secret) => `API_KEY=${secret}`,
    (secret) => `AWS_SECRET_ACCESS_KEY=${secret}`,
    (secret) => `STORAGE=DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${secret};`,
    (secret) => `Endpoint=sb://bus.internal/;SharedAccessKeyName=Root;SharedAccessKey=${secret}`,
    (secret) => `SECRET_KEY = "${secret}"`,
    (secret) => `client_secret: ${secret}`,
    (secret) => `"accessToken": "${secret}",`,
    (secret) => `const apiKey = '${secret}';`,
    (secret) => `curl -H "Authorization: Bearer ${secret}" https://api.internal/v1`,
    (secret) => `Authorization: Token ${secret}`,
    (secret) => `X-Api-Key: ${secret}`,
    (secret) => `//registry.internal/:_authToken=${secret}`,
    (secret) => `TWILIO_AUTH_TOKEN=${secret}`,
    (secret) => `The API key for the geocoder is ${secret}`,
    (secret) => `our access token is ${secret} and expires in June`,
    (secret) => `deployctl login --token ${secret}`,
    (secret) => `vault login ${secret}`,
    (secret) => `JWT_SECRET=${secret}`,
    (secret) => `signing_key => "${secret}"`,
    (secret) => `os.environ["HMAC_KEY"] = "${secret}"`,
    (secret) => `https://api.internal/v1/items?api_key=${secret}&page=2`,
    (secret) => `{\\"token\\": \\"${secret}\\"}`,
    (secret) => `set_secret("WEBHOOK_SECRET", "${secret}")`,
    (secret) => `session cookie: ${secret}`,
  ];
  const filled = (form: (secret: string) => string, secret: string): SampleSecret => {
    const text = form(secret);
    // The form replaced the characters that a URL cannot contain.
    return text.includes(secret)
      ? { text, secret }
      : { text, secret: secret.replaceAll(/[@#%?!^*/]/g, "x") };
  };
  const keyFrame = (name: string) =>
    `-----BEGIN ${name}PRIVATE KEY-----\n${Array.from({ length: 6 }, () => draw(BASE64, 64)).join("\n")}\n-----END ${name}PRIVATE KEY-----`;
  const frames = ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "].map(keyFrame);
  return [
    ...tokens.map((secret) => ({
      text: pick(around)(secret),
      secret: secret.split("/").at(-1) ?? secret,
    })),
    ...withPassword.flatMap((form) => [1, 2].map(() => filled(form, password()))),
    ...withKey.flatMap((form) => [1, 2].map(() => filled(form, key()))),
    ...tokens.slice(0, 16).map((secret) => disguised(secret, pick)),
    ...frames.map((secret) => ({ text: `Use this:\n${secret}\nfor the host.`, secret })),
    ...frames.slice(0, 2).map((secret) => ({
      text: JSON.stringify({ key: secret }),
      secret: secret.split("\n")[2] ?? secret,
    })),
  ];
}

const hidden = "\u200b";

/** Writes a secret in full-width characters or with zero-width characters inside. */
function disguised(secret: string, pick: <T>(list: readonly T[]) => T): SampleSecret {
  const wide = [...secret]
    .map((sign) =>
      sign >= "!" && sign <= "~" ? String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0) : sign,
    )
    .join("");
  const parted = `${secret.slice(0, 2)}${hidden}${secret.slice(2, 9)}\u2060${secret.slice(9)}`;
  const text = pick([wide, parted]);
  return { text: `It is ${text} here`, secret: text };
}
