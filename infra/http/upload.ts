/** Reads forms with a file, for calls that are declared with `upload`. */
import type { FastifyRequest } from 'fastify';
import { FILE_FORM, readForm } from './form-body.ts';
import type { App } from './server.ts';

/** How much the form may be larger than its largest file, in bytes. */
const AROUND = 64 * 1024;

/** Installs the parser in a scope, whose routes then get `FormData` as their body. @param largest the largest file, in bytes */
export const installUploads = (scope: App, largest: number): void => {
  scope.addContentTypeParser(
    FILE_FORM,
    { parseAs: 'buffer', bodyLimit: largest + AROUND },
    (request: FastifyRequest, body: Buffer) => readForm(request, body),
  );
};
