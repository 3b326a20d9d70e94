import { CairnError } from "../../shared/errors.ts";
import { type PageRequest, requestPage, type WebAnswer } from "./request-page.ts";

const MAX_REDIRECTS = 5;

export type Followed =
  | { readonly kind: "page"; readonly answer: WebAnswer }
  /** It leads to a host that nobody has permitted, or to where others can listen. */
  | { readonly kind: "elsewhere"; readonly from: URL; readonly to: URL };

/** A page, also where it has moved on its own host: permission is given for a host. */
export async function followPage(request: PageRequest): Promise<Followed> {
  let { url } = request;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const answer = await requestPage({ ...request, url });
    if (answer.location === undefined) return { kind: "page", answer };
    const next = URL.canParse(answer.location, url.href)
      ? new URL(answer.location, url)
      : undefined;
    if (next === undefined || !/^https?:$/.test(next.protocol)) {
      throw new CairnError(
        "unavailable",
        `${url.href} leads to "${answer.location}", no web page.`,
      );
    }
    const isWeaker = url.protocol === "https:" && next.protocol === "http:";
    if (next.host !== url.host || isWeaker) return { kind: "elsewhere", from: url, to: next };
    url = next;
  }
  throw new CairnError("unavailable", `${url.href} was moved more than ${MAX_REDIRECTS} times.`);
}
