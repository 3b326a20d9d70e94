declare module "linkedom" {
  export interface PageElement {
    readonly textContent: string | null;
    readonly nodeName: string;
    readonly parentElement: PageElement | null;
    readonly children: Iterable<PageElement>;
    closest(selector: string): PageElement | null;
    querySelector(selector: string): PageElement | null;
    getAttribute(name: string): string | null;
    querySelectorAll(selector: string): Iterable<PageElement>;
    remove(): void;
  }
  export interface PageDocument extends PageElement {
    readonly title: string;
    readonly body: PageElement;
  }
  export function parseHTML(html: string): { readonly document: PageDocument };
}

declare module "@mozilla/readability" {
  export class Readability {
    constructor(
      document: import("linkedom").PageDocument,
      options: { readonly keepClasses: boolean },
    );
    parse(): { readonly content?: string | null } | null;
  }
}

declare module "turndown" {
  type PageElement = import("linkedom").PageElement;
  export interface Rule {
    readonly filter: string | readonly string[];
    replacement(text: string, element: PageElement): string;
  }
  export interface Options {
    readonly headingStyle: "atx";
    readonly codeBlockStyle: "fenced";
    readonly emDelimiter: "*";
    blankReplacement(text: string, element: PageElement & { readonly isBlock: boolean }): string;
  }
  export default class TurndownService {
    constructor(options: Options);
    escape: (text: string) => string;
    addRule(name: string, rule: Rule): void;
    turndown(page: PageElement): string;
  }
}
