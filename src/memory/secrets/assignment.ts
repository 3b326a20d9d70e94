/** How a value stands beside its name. All but `next` are tried at a known place. */
export const ASSIGNMENT = {
  /** Between a name and its value: `=`, `: `, `=>`, `:=`, `", "`, `">`, `" value="`, `|`. */
  assigns:
    /\\?["'`\])]{0,2}[ \t]{0,8}(?:\?=|\|\|=|:{1,3}=|=>|={1,2}|:|\\?["'`],(?= ?\\?["'`])|>(?=[^\s<])|\|(?= ?[^\s|]))(?:[ \t]{1,8}|(?:\r?\n[ \t]{1,8})(?=["'`]))?(?:[brf](?=["']))?/y,
  separate: /\\?["'`] {0,3}value=/iy,
  quoted:
    /\\?(?:"(?<double>[^"\n\\]{1,512})\\?"|'(?<single>[^'\n\\]{1,512})\\?'|`(?<back>[^`\n\\]{1,512})\\?`)/dy,
  bare: /[^\s"'`<>\\]{1,512}/y,
  /** Behind a value that is one of several. */
  next: /[;,&](?=$|[A-Za-z_][\w.-]{0,40}[=:]|[)\]}])/,
  scheme: /(?:bearer|basic|token|apikey|api-key|digest|negotiate)[ \t]{1,3}/iy,
};
