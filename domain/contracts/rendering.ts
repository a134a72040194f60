/** What the query API and the client say to each other where a page is rendered on the server. */

/** An answer of the API, as far as the client reads one. */
export interface GivenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A page to render: its path with its query, and the answers that are known so far, by their paths. */
export interface RenderTask {
  readonly path: string;
  readonly answers: Readonly<Record<string, GivenAnswer>>;
}

/** A rendered page, or the paths of what has to be asked before it can be. */
export type RenderResult = { readonly asks: readonly string[] } | { readonly page: RenderedPage };

export interface RenderedPage {
  /** What stands in the root. */
  readonly html: string;
  /** The styles that it needs besides the stylesheets. */
  readonly css: string;
  /** What the client goes on with, in its element of the page. */
  readonly given: GivenData;
}

/** The answers that a page was rendered with: the keys and the data of its queries, and when they were asked. Milliseconds since 1970. */
export interface GivenData {
  readonly queries: readonly (readonly [key: readonly unknown[], data: unknown])[];
  readonly at: number;
}
