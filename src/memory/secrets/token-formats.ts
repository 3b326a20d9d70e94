export interface TokenFormat {
  readonly kind: string;
  readonly marks: readonly string[];
  /** Secret: the group `secret`, else the match. Bounded quantifiers limit the matching time. */
  readonly pattern: RegExp;
  /** Minimum entropy in bits per character, for ambiguous formats. */
  readonly entropy?: number;
}

type FormatRow = readonly [kind: string, marks: string, pattern: RegExp, entropy?: number];

const FORMAT_ROWS: readonly FormatRow[] = [
  // Code hosting, package registries, CI
  ["github-token", "ghp_ gho_ ghu_ ghs_ ghr_", /(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9]{30,255}/g],
  ["github-token", "github_pat_", /(?<![A-Za-z0-9])github_pat_\w{36,255}/g],
  [
    "gitlab-token",
    "glpat- gldt- glft- glimt- glrt- glptt- glsoat- gloas- glagent- glcbt- glffct-",
    /(?<![A-Za-z0-9])gl(?:pat|dt|ft|imt|rt|ptt|soat|oas|agent|cbt|ffct)-[\w-]{18,300}/g,
  ],
  ["gitlab-runner-token", "gr1348941", /GR1348941[\w-]{20}/g],
  ["gitlab-session", "_gitlab_session=", /_gitlab_session=(?<secret>[0-9a-z]{32})/g],
  ["bitbucket-token", "atbb", /(?<![A-Za-z0-9])ATBB[A-Za-z0-9_=.-]{20,128}/g, 3],
  ["npm-token", "npm_", /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36}/gi],
  ["pypi-token", "pypi-ageichlwas5vcmc", /pypi-AgEIcHlwaS5vcmc[\w-]{40,1000}/g],
  ["rubygems-token", "rubygems_", /(?<![A-Za-z0-9])rubygems_[a-f0-9]{48}/g],
  ["crates-token", "cio", /(?<![A-Za-z0-9])cio[A-Za-z0-9]{32}(?![A-Za-z0-9])/g, 3.5],
  ["nuget-key", "oy2", /(?<![A-Za-z0-9])oy2[a-z0-9]{43}(?![A-Za-z0-9])/g, 3.5],
  ["clojars-token", "clojars_", /clojars_[a-z0-9]{60}/gi],
  ["docker-token", "dckr_", /(?<![A-Za-z0-9])dckr_(?:pat|oat)_[\w-]{24,64}/g],
  [
    "artifactory-key",
    "akcp cmvmd",
    /(?<![A-Za-z0-9])(?:AKCp[A-Za-z0-9]{69}|cmVmd[A-Za-z0-9]{59})/g,
  ],
  ["circleci-token", "ccipat_ cciprj_", /(?<![A-Za-z0-9])cci(?:pat|prj)_\w{22}_[a-f0-9]{40}/g],
  ["buildkite-token", "bkua_ bkpat_", /(?<![A-Za-z0-9])bk(?:ua|pat)_[A-Za-z0-9]{40}/g],
  ["sonar-token", "sqp_ sqa_ squ_", /(?<![A-Za-z0-9])sq[pau]_[a-z0-9]{40}/g],
  ["snyk-token", "snyk_", /(?<![A-Za-z0-9])snyk_[a-z]{3}\.[\w.-]{20,200}/g],
  ["sourcegraph-token", "sgp_", /(?<![A-Za-z0-9])sgp_(?:[A-Fa-f0-9]{16}_|local_)?[A-Fa-f0-9]{40}/g],
  ["octopus-key", "api-", /(?<![A-Za-z0-9-])API-[A-Z0-9]{26}(?![A-Z0-9-])/g, 3],
  ["terraform-token", ".atlasv1.", /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}/g],
  ["pulumi-token", "pul-", /(?<![A-Za-z0-9])pul-[a-f0-9]{40}/g],

  // Cloud and hosting providers
  [
    "aws-access-key-id",
    "akia asia abia acca a3t",
    /(?<![A-Za-z0-9])(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
    3,
  ],
  ["aws-bedrock-key", "absk", /(?<![A-Za-z0-9])ABSK[A-Za-z0-9+/]{100,280}={0,2}/g],
  ["aws-bedrock-key", "bedrock-api-key-", /bedrock-api-key-[A-Za-z0-9+/=]{40,2000}/g],
  ["google-api-key", "aiza", /(?<![A-Za-z0-9])AIza[\w-]{35}/g, 3],
  ["google-oauth-secret", "gocspx-", /(?<![A-Za-z0-9])GOCSPX-[\w-]{20,64}/g],
  ["google-oauth-token", "ya29.", /(?<![A-Za-z0-9])ya29\.[\w-]{30,500}/g],
  ["google-refresh-token", "1//", /(?<![A-Za-z0-9/])1\/\/0[\w-]{40,200}/g, 3.5],
  ["azure-client-secret", "q~", /(?<![\w~.-])[\w~.]{3}[0-9]Q~[\w~.-]{31,34}(?![\w~.-])/g, 3],
  ["azure-signature", "sig=", /[?&]sig=(?<secret>[A-Za-z0-9%+/_-]{30,200})/g, 3.5],
  [
    "aws-session-token",
    "x-amz-security-token=",
    /X-Amz-Security-Token=(?<secret>[\w%+/=-]{40,2000})/gi,
  ],
  ["digitalocean-token", "doo_v1_ dop_v1_ dor_v1_", /(?<![A-Za-z0-9])do[opr]_v1_[a-f0-9]{64}/gi],
  ["heroku-key", "hrku-", /(?<![A-Za-z0-9])HRKU-[\w-]{36,70}/g],
  [
    "flyio-token",
    "fo1_ fm1 fm2_",
    /(?<![A-Za-z0-9])(?:fo1_[\w-]{43}|fm(?:1[ar]|2)_[A-Za-z0-9+/]{90,2000})/g,
  ],
  ["netlify-token", "nfp_", /(?<![A-Za-z0-9])nfp_[A-Za-z0-9]{36,40}/g],
  ["vercel-token", "vcp_ vca_ vci_ vcr_ vck_", /(?<![A-Za-z0-9])vc[pairk]_[A-Za-z0-9]{24,64}/g],
  ["render-key", "rnd_", /(?<![A-Za-z0-9])rnd_[A-Za-z0-9]{28,40}/g, 3],
  ["cloudflare-key", "v1.0-", /(?<![A-Za-z0-9])v1\.0-[a-f0-9]{24}-[a-f0-9]{146}/g],
  ["alibaba-key-id", "ltai", /(?<![A-Za-z0-9])LTAI[A-Za-z0-9]{12,24}(?![A-Za-z0-9])/g, 3],
  ["tencent-key-id", "akid", /(?<![A-Za-z0-9])AKID[A-Za-z0-9]{32}(?![A-Za-z0-9])/g, 3],
  ["openshift-token", "sha256~", /(?<![A-Za-z0-9])sha256~[\w-]{43}/g],
  [
    "tailscale-key",
    "tskey-",
    /(?<![A-Za-z0-9])tskey-[a-z]{2,10}-[A-Za-z0-9]{6,20}-[A-Za-z0-9]{16,40}/g,
  ],
  ["vault-token", "hvs. hvb. hvr.", /(?<![A-Za-z0-9])hv[sbr]\.[\w-]{24,300}/g],
  ["doppler-token", "dp.", /(?<![A-Za-z0-9])dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,80}/g],
  ["infisical-token", "st.", /(?<![A-Za-z0-9])st\.[a-f0-9]{24}\.[a-f0-9]{32}\.[a-f0-9]{32}/g],
  [
    "onepassword-key",
    "a3-",
    /(?<![A-Za-z0-9])A3-[A-Z0-9]{6}-[A-Z0-9-]{11,12}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}/g,
  ],
  ["onepassword-token", "ops_", /(?<![A-Za-z0-9])ops_eyJ[A-Za-z0-9+/]{200,2000}/g],
  ["age-key", "age-secret-key-1", /AGE-SECRET-KEY-1[A-Z0-9]{58}/g],

  // AI providers
  ["anthropic-token", "sk-ant-", /(?<![A-Za-z0-9])sk-ant-[\w-]{20,200}/g, 3],
  [
    "openai-token",
    "sk-",
    /(?<![A-Za-z0-9])sk-(?:proj-|svcacct-|admin-|or-v1-|lf-)?[\w-]{20,300}/g,
    3.5,
  ],
  ["huggingface-token", "hf_ api_org_", /(?<![A-Za-z0-9])(?:hf_|api_org_)[A-Za-z0-9]{30,64}/g, 3],
  ["replicate-token", "r8_", /(?<![A-Za-z0-9])r8_[A-Za-z0-9]{37}/g],
  ["groq-key", "gsk_", /(?<![A-Za-z0-9])gsk_[A-Za-z0-9]{40,64}/g],
  ["perplexity-key", "pplx-", /(?<![A-Za-z0-9])pplx-[A-Za-z0-9]{40,64}/g],
  ["xai-key", "xai-", /(?<![A-Za-z0-9])xai-[A-Za-z0-9]{60,90}/g],
  ["fireworks-key", "fw_", /(?<![A-Za-z0-9])fw_[A-Za-z0-9]{22,32}(?![A-Za-z0-9])/g, 3.5],
  ["voyage-key", "pa-", /(?<![A-Za-z0-9])pa-[\w-]{40,48}(?![\w-])/g, 4],
  ["nvidia-key", "nvapi-", /(?<![A-Za-z0-9])nvapi-[\w-]{60,80}/g],
  ["langsmith-key", "lsv2_", /(?<![A-Za-z0-9])lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}/g],
  ["pinecone-key", "pcsk_", /(?<![A-Za-z0-9])pcsk_\w{40,90}/g],

  // Payment and commerce
  ["stripe-key", "sk_ rk_", /(?<![A-Za-z0-9])[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,200}/g, 2],
  ["stripe-webhook-secret", "whsec_", /(?<![A-Za-z0-9])whsec_[A-Za-z0-9+/=]{24,64}/g],
  [
    "square-token",
    "sq0atp- sq0csp- eaaa",
    /(?<![A-Za-z0-9])(?:sq0(?:atp|csp)-[\w-]{22,60}|EAAA[\w-]{56,64})/g,
  ],
  [
    "braintree-token",
    "access_token$",
    /access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}/g,
  ],
  [
    "shopify-token",
    "shpat_ shpca_ shppa_ shpss_",
    /(?<![A-Za-z0-9])shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}/g,
  ],
  ["flutterwave-key", "flwseck", /FLWSECK(?:_TEST|_LIVE)?-[A-Za-z0-9]{12,40}(?:-X)?/g],
  [
    "plaid-token",
    "access-",
    /(?<![A-Za-z0-9])access-(?:sandbox|development|production)-[0-9a-f]{8}-[0-9a-f-]{27}/g,
  ],
  ["shippo-token", "shippo_", /(?<![A-Za-z0-9])shippo_(?:live|test)_[A-Fa-f0-9]{40}/g],
  ["easypost-key", "ezak eztk", /(?<![A-Za-z0-9])EZ[AT]K[A-Za-z0-9]{54}/g],
  ["duffel-token", "duffel_", /(?<![A-Za-z0-9])duffel_(?:test|live)_[\w=-]{43}/g],
  ["razorpay-key", "rzp_", /(?<![A-Za-z0-9])rzp_(?:live|test)_[A-Za-z0-9]{14,24}/g],

  // Messaging and email
  [
    "slack-token",
    "xox",
    /(?<![A-Za-z0-9])xox[abeoprs](?:\.xox[bp])?-(?=[0-9])[A-Za-z0-9-]{10,300}/gi,
    2.5,
  ],
  [
    "slack-token",
    "xapp-",
    /(?<![A-Za-z0-9])xapp-[0-9]-[A-Z0-9]{8,20}-[0-9]{8,20}-[a-z0-9]{32,80}/gi,
  ],
  [
    "slack-webhook",
    "hooks.slack.com",
    /hooks\.slack\.com\/(?:services|workflows|triggers)\/(?<secret>[A-Za-z0-9+/]{40,80})/g,
    3,
  ],
  ["discord-token", ".", /(?<![\w.-])[MNO][\w-]{22,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])/g, 4],
  [
    "discord-webhook",
    "/api/webhooks/",
    /discord(?:app)?\.com\/api\/webhooks\/(?<secret>[0-9]{15,21}\/[\w-]{50,90})/g,
  ],
  [
    "teams-webhook",
    "webhook.office.com",
    /webhook\.office\.com\/webhookb2\/(?<secret>[\w@/-]{80,200})/g,
  ],
  ["telegram-token", ":aa", /(?<![A-Za-z0-9])[0-9]{8,10}:AA[\w-]{32,34}(?![\w-])/g],
  ["twilio-key", "sk", /(?<![A-Za-z0-9])SK[0-9a-f]{32}(?![A-Za-z0-9])/g, 3],
  ["sendgrid-key", "sg.", /(?<![A-Za-z0-9])SG\.[\w-]{16,32}\.[\w-]{32,64}/g],
  ["mailgun-key", "key-", /(?<![A-Za-z0-9-])key-[a-f0-9]{32}(?![A-Za-z0-9])/g, 3],
  ["mailchimp-key", "-us", /(?<![A-Za-z0-9])[a-f0-9]{32}-us[0-9]{1,2}(?![0-9])/g],
  [
    "brevo-key",
    "xkeysib- xsmtpsib-",
    /(?<![A-Za-z0-9])x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}/g,
  ],
  ["resend-key", "re_", /(?<![A-Za-z0-9])re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,32}/g, 3],
  [
    "postmark-token",
    "x-postmark-server-token",
    /X-Postmark-Server-Token:\s{0,3}(?<secret>[0-9a-f-]{36})/gi,
  ],

  // Data, productivity and monitoring
  ["databricks-token", "dapi", /(?<![A-Za-z0-9])dapi[a-f0-9]{32}(?:-[0-9])?/g],
  ["planetscale-token", "pscale_", /(?<![A-Za-z0-9])pscale_(?:tkn|oauth|pw)_[\w=.-]{32,64}/g],
  [
    "supabase-key",
    "sbp_ sb_secret_",
    /(?<![A-Za-z0-9])(?:sbp_[a-f0-9]{40}|sb_secret_[\w-]{20,64})/g,
  ],
  ["neon-key", "napi_", /(?<![A-Za-z0-9])napi_[a-z0-9]{50,70}/g],
  ["clickhouse-key", "4b1d", /(?<![A-Za-z0-9])4b1d[A-Za-z0-9]{38}(?![A-Za-z0-9])/g, 3.8],
  ["airtable-token", "pat", /(?<![A-Za-z0-9])pat[A-Za-z0-9]{14}\.[a-f0-9]{64}/g],
  [
    "notion-token",
    "ntn_ secret_",
    /(?<![A-Za-z0-9])(?:ntn_[0-9]{11}[A-Za-z0-9]{35}|secret_[A-Za-z0-9]{43})/g,
  ],
  ["linear-key", "lin_api_ lin_oauth_", /(?<![A-Za-z0-9])lin_(?:api|oauth)_[A-Za-z0-9]{40,64}/g],
  ["atlassian-token", "atatt3 atctt3", /(?<![A-Za-z0-9])AT[AC]TT3[\w=-]{60,250}/g],
  ["figma-token", "figd_ figo_", /(?<![A-Za-z0-9])fig[do]_[\w-]{38,60}/g],
  ["postman-key", "pmak-", /(?<![A-Za-z0-9])PMAK-[a-f0-9]{24}-[a-f0-9]{34}/gi],
  ["asana-token", "1/", /(?<![A-Za-z0-9/])[12]\/[0-9]{14,17}(?:\/[0-9]{14,17})?:[a-f0-9]{32}/g],
  ["dropbox-token", "sl.", /(?<![A-Za-z0-9])sl\.(?:u\.)?[\w-]{130,1500}/g],
  ["contentful-token", "cfpat-", /(?<![A-Za-z0-9])CFPAT-[\w-]{40,64}/g],
  ["readme-key", "rdme_", /(?<![A-Za-z0-9])rdme_[a-z0-9]{70}/g],
  [
    "sentry-token",
    "sntrys_ sntryu_",
    /(?<![A-Za-z0-9])sntry(?:s_eyJ[A-Za-z0-9+/=_]{60,500}|u_[a-f0-9]{64})/g,
  ],
  [
    "grafana-token",
    "glc_ glsa_ eyjrijoi",
    /(?<![A-Za-z0-9])(?:glc_[A-Za-z0-9+/]{32,400}|glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|eyJrIjoi[A-Za-z0-9]{60,400})/g,
  ],
  ["new-relic-key", "nrak- nrjs- nral nrii- nria", /(?<![A-Za-z0-9])NR(?:AK|II)-[\w-]{27,42}/g],
  ["dynatrace-token", "dt0c01.", /dt0c01\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}/g],
  [
    "harness-token",
    "pat. sat.",
    /(?<![A-Za-z0-9])[ps]at\.[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}/g,
  ],
  ["frameio-token", "fio-u-", /fio-u-[\w=-]{64}/g],
  ["typeform-token", "tfp_", /(?<![A-Za-z0-9])tfp_[\w=.-]{59}/g],
  ["adobe-secret", "p8e-", /(?<![A-Za-z0-9])p8e-[A-Za-z0-9]{32}/gi],
  ["facebook-token", "eaa", /(?<![A-Za-z0-9])EAA[A-Za-z0-9]{90,400}/g, 4],
  ["facebook-token", "| %", /(?<![A-Za-z0-9])[0-9]{15,16}[|%][\w-]{27,40}(?![\w-])/g, 3],
  ["intra42-secret", "s-s4t2", /(?<![A-Za-z0-9])s-s4t2(?:ud|af)-[a-f0-9]{64}/g],
  ["prefect-token", "pnu_", /(?<![A-Za-z0-9])pnu_[A-Za-z0-9]{36}/g],
  ["posthog-key", "phx_", /(?<![A-Za-z0-9])phx_[A-Za-z0-9]{40,64}/g],
  ["mapbox-token", "sk.eyj", /(?<![A-Za-z0-9])sk\.eyJ[\w-]{40,300}\.[\w-]{20,64}/g],

  // Generic formats
  [
    "json-web-token",
    "eyj",
    /(?<![\w.-])ey[IJ][\w-]{14,4000}\.[\w-]{14,8000}(?:\.[\w-]{0,2000})?/g,
    3.5,
  ],
  ["url-password", "://", /:\/\/[^\s/:@"'<>]{0,128}:(?<secret>[^\s/@"'<>]{3,256})@/g],
  ["cairn-token", "cairn_", /(?<![A-Za-z0-9])cairn_[\w-]{43}(?![\w-])/g],
];

export const TOKEN_FORMATS: readonly TokenFormat[] = FORMAT_ROWS.map(
  ([kind, marks, pattern, entropy]) => ({
    kind,
    marks: marks.split(" "),
    pattern,
    ...(entropy !== undefined && { entropy }),
  }),
);
