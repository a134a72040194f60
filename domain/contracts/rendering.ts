export interface GivenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RenderTask {
  readonly path: string;
  readonly answers: Readonly<Record<string, GivenAnswer>>;
}

export type RenderResult = { readonly asks: readonly string[] } | { readonly page: RenderedPage };

export interface RenderedPage {
  readonly html: string;
  readonly css: string;
  readonly given: GivenData;
}

/** Fetch times are milliseconds since 1970. */
export interface GivenData {
  readonly queries: readonly (readonly [key: readonly unknown[], data: unknown])[];
  readonly at: number;
}
