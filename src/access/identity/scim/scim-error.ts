/** An error as directories read it (RFC 7644, 3.12). */
export class ScimError extends Error {
  readonly status: number;
  readonly scimType: string | undefined;

  constructor(status: number, message: string, scimType?: string) {
    super(message);
    this.status = status;
    this.scimType = scimType;
  }
}

const SCHEMA = "urn:ietf:params:scim:api:messages:2.0:Error";

export function scimErrorResponse({ status, message, scimType }: ScimError): Response {
  return scimResponse(
    {
      schemas: [SCHEMA],
      status: String(status),
      detail: message,
      ...(scimType !== undefined && { scimType }),
    },
    status,
  );
}

export function scimResponse(body: object, status = 200, headers: Record<string, string> = {}) {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/scim+json", "cache-control": "no-store", ...headers },
  });
}
