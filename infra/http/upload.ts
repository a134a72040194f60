import type { FastifyRequest } from 'fastify';
import { FILE_FORM, readForm } from './form-body.ts';
import type { App } from './server.ts';

const AROUND = 64 * 1024;

export const installUploads = (scope: App, largest: number): void => {
  scope.addContentTypeParser(
    FILE_FORM,
    { parseAs: 'buffer', bodyLimit: largest + AROUND },
    (request: FastifyRequest, body: Buffer) => readForm(request, body),
  );
};
