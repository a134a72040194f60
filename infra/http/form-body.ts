/** Reads bodies that are forms, of calls that are declared with `form` or `upload`. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '#domain/kernel/refusal.ts';

/** The type of forms with files. */
export const FILE_FORM = 'multipart/form-data';

/** The types in which programs send a form without files, as browsers do. */
export const FORMS = [FILE_FORM, 'application/x-www-form-urlencoded'];

/** @throws Refusal BAD_INPUT for what is no such form */
export const readForm = async ({ headers }: FastifyRequest, body: Buffer): Promise<FormData> => {
  const type = { 'content-type': headers['content-type'] ?? '' };
  try {
    return await new Response(new Uint8Array(body), { headers: type }).formData();
  } catch (cause) {
    throw new Refusal('BAD_INPUT', {}, { cause });
  }
};

/** Installs the parser in a scope, whose routes then also take forms: their fields as an object, of several with one name the last. */
export const installForms = (scope: FastifyInstance): void => {
  scope.addContentTypeParser(FORMS, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) =>
    Object.fromEntries(await readForm(request, body)),
  );
};
