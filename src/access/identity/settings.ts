import { z } from "zod";
import { withMeta, withTrust } from "../../shared/fields.ts";

const address = z
  .string()
  .regex(/^https?:\/\/[^\s?#]+$/, "must be a URL such as http(s)://host[:port][/path]");

export const identitySettings = withTrust(
  z.strictObject({
    url: address
      .optional()
      .describe("Public URL of `cairn serve`, such as https://memory.example.org."),
    issuer: address
      .optional()
      .describe("Issuer URL of the OpenID Connect provider through which users log in."),
    clientId: z.string().min(1).optional().describe("Client ID of cairn at the provider."),
    clientSecret: withMeta(z.string().min(1), { secret: true })
      .optional()
      .describe("Client secret; omit it for a public client."),
    scopes: z
      .array(z.string().min(1))
      .default(["openid", "profile", "email"])
      .describe(
        "Requested scopes. With `offline_access` cairn renews logins; without it users log in again after ten hours.",
      ),
    nameClaim: z
      .string()
      .min(1)
      .default("email")
      .describe("Claim that contains the user's name, which becomes the author of their changes."),
    groupsClaim: z
      .string()
      .min(1)
      .default("groups")
      .describe("Claim that lists the user's groups."),
    audience: z
      .string()
      .min(1)
      .optional()
      .describe(
        "Access tokens that the provider issued for this audience are accepted directly; default: none.",
      ),
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
  },
);

export type IdentitySettings = z.output<typeof identitySettings>;
