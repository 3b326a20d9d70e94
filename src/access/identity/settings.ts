import { z } from "zod";
import { withMeta, withTrust } from "../../shared/fields.ts";

const address = z
  .string()
  .regex(/^https?:\/\/[^\s?#]+$/, "An address is http(s)://host[:port][/path].");

export const identitySettings = withTrust(
  z.strictObject({
    url: address
      .optional()
      .describe(
        "Address under which people and clients reach `cairn serve`, as https://memory.example.org.",
      ),
    issuer: address
      .optional()
      .describe(
        "The company's OpenID Connect provider: people log in there, and tokens alone are no longer needed.",
      ),
    clientId: z.string().min(1).optional().describe("What the provider knows cairn by."),
    clientSecret: withMeta(z.string().min(1), { secret: true })
      .optional()
      .describe("The secret that goes with it; leave it out for a public client."),
    scopes: z
      .array(z.string().min(1))
      .default(["openid", "profile", "email"])
      .describe(
        "What the provider is asked for; with `offline_access` cairn can renew a log-in, without it people log in again after ten hours.",
      ),
    nameClaim: z
      .string()
      .min(1)
      .default("email")
      .describe("Claim whose value becomes the person's name, the author of what they write."),
    groupsClaim: z
      .string()
      .min(1)
      .default("groups")
      .describe("Claim that lists a person's groups."),
    audience: z
      .string()
      .min(1)
      .optional()
      .describe(
        "Access tokens that the provider made for this audience are taken as they are; default: none.",
      ),
    accessMinutes: z
      .number()
      .int()
      .min(1)
      .max(15)
      .default(15)
      .describe(
        "Minutes until a client renews its access token; then cairn asks the provider again for the person and their groups.",
      ),
    sessionDays: z
      .number()
      .int()
      .min(1)
      .max(365)
      .default(30)
      .describe("After so many days a person logs in again, whatever the client renews."),
  }),
  {
    url: "trusted",
    issuer: "trusted",
    clientId: "trusted",
    clientSecret: "trusted",
    scopes: "trusted",
    nameClaim: "trusted",
    groupsClaim: "trusted",
    audience: "trusted",
    accessMinutes: "trusted",
    sessionDays: "trusted",
  },
);

export type IdentitySettings = z.output<typeof identitySettings>;
