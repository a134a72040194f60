import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '#domain/kernel/refusal.ts';

export const FILE_FORM = 'multipart/form-data';

export const FORMS = [FILE_FORM, 'application/x-www-form-urlencoded'];

/** @throws Refusal BAD_INPUT */
export const readForm = async ({ headers }: FastifyRequest, body: Buffer): Promise<FormData> => {
  const type = { 'content-type': headers['content-type'] ?? '' };
  try {
    return await new Response(new Uint8Array(body), { headers: type }).formData();
  } catch (cause) {
    throw new Refusal('BAD_INPUT', {}, { cause });
  }
};

export const installForms = (scope: FastifyInstance): void => {
  scope.addContentTypeParser(FORMS, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) =>
    Object.fromEntries(await readForm(request, body)),
  );
};
