export class RequestFailed extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: unknown;

  constructor(body: { code: string; message: string; details?: unknown }, status: number) {
    super(body.message);
    this.code = body.code;
    this.status = status;
    this.details = body.details;
  }

  static async of(response: Response): Promise<RequestFailed> {
    const fallback = {
      code: "internal",
      message: `The server returned status ${response.status}.`,
    };
    const body = await response.json().catch(() => undefined);
    return new RequestFailed(body?.error ?? fallback, response.status);
  }
}

export function getFailure(error: unknown): RequestFailed {
  if (error instanceof RequestFailed) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new RequestFailed({ code: "internal", message }, 0);
}
