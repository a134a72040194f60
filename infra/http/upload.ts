/** Reads forms with a file, for calls that are declared with `upload`. */
import { Refusal } from '#domain/refusal.ts';
import type { App } from './server.ts';

/** How much the form may be larger than its largest file, in bytes. */
const AROUND = 64 * 1024;

/** Installs the parser in a scope, whose routes then get `FormData` as their body. @param largest the largest file, in bytes */
export const installUploads = (scope: App, largest: number): void => {
  scope.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: largest + AROUND },
    async (request: { headers: { 'content-type'?: string } }, body: Buffer) => {
      const headers = { 'content-type': request.headers['content-type'] ?? '' };
      try {
        return await new Response(new Uint8Array(body), { headers }).formData();
      } catch (cause) {
        throw new Refusal('BAD_INPUT', {}, { cause });
      }
    },
  );
};
