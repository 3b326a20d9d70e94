/** Where a request goes. */
export interface ProviderEndpoint {
  readonly model: string;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
}
