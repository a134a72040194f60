/** What the specs use of `oidc-provider`, which ships no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Interaction {
    readonly uid: string;
    readonly prompt: { readonly name: string };
    readonly params: Readonly<Record<string, unknown>>;
    readonly session?: { readonly accountId: string };
    readonly grantId?: string;
  }
  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }
  interface GrantClass {
    new (facts: { accountId: string | undefined; clientId: string }): Grant;
    find(id: string): Promise<Grant | undefined>;
  }
  interface Account {
    readonly accountId: string;
    claims(): object;
  }
  interface Configuration {
    readonly findAccount: (context: unknown, sub: string) => Account;
    readonly interactions: { url(context: unknown, interaction: Interaction): string };
    readonly [setting: string]: unknown;
  }
  export default class Provider {
    constructor(issuer: string, configuration: Configuration);
    readonly Grant: GrantClass;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  }
}
