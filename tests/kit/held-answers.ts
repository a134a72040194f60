/**
 * Holds every answer that a server of this process gives to the declaration of its call. The specs' setup asks for what was wrong;
 * a program under test, which loads this file first, says it and ends with 1.
 */
import { subscribe } from 'node:diagnostics_channel';
import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance, FastifyReply } from 'fastify';
import * as z from 'zod/mini';
import type { Call } from '#domain/contracts/call.ts';
import { errors } from '#domain/kernel/errors.ts';

const refusal = z.object({
  message: z.string().check(z.minLength(1)),
  code: z.string(),
  requestId: z.string(),
});

const parsed = (schema: z.ZodMiniType, json: unknown): string | undefined => {
  const { error, data } = z.safeParse(schema, json);
  if (error) return z.prettifyError(error);
  // What a schema doesn't name it drops: an answer has nothing more than was declared.
  return isDeepStrictEqual(data, json) ? undefined : `more than was declared: ${JSON.stringify(json)}`;
};

/** A payload read as JSON; undefined where it is none. */
const read = (payload: unknown): unknown => {
  try {
    return JSON.parse(String(payload));
  } catch {
    return undefined;
  }
};

/** What is wrong with an answer, if anything. */
const complaintOf = (
  { answer, status = [answer === 'redirect' ? 302 : 200] }: Pick<Call, 'answer' | 'status'>,
  reply: FastifyReply,
  payload: unknown,
): string | undefined => {
  const { statusCode } = reply;
  if (statusCode >= 400) {
    const { data } = z.safeParse(refusal, read(payload));
    const known = Object.entries(errors).some(
      ([code, one]) => code === data?.code && one.status === statusCode,
    );
    return known ? undefined : `an unknown refusal: ${payload}`;
  }
  if (answer === 'websocket') return 'an answer without a WebSocket';
  if (!status.includes(statusCode)) return 'an undeclared status';
  if (typeof answer === 'object') return parsed(answer, read(payload));
  const type = answer === 'redirect' ? reply.getHeader('location') : reply.getHeader('content-type');
  return typeof type === 'string' && (answer === 'redirect' || type.startsWith(answer))
    ? undefined
    : `not ${answer}`;
};

/** What was wrong with answers so far. */
export const wrongAnswers: string[] = [];

subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('onSend', async ({ method, url, routeOptions }, reply, payload) => {
    const { answer, status } = routeOptions.config ?? {};
    if (answer === undefined || method === 'HEAD') return payload;
    const complaint = complaintOf({ answer, status }, reply, payload);
    if (complaint !== undefined)
      wrongAnswers.push(`${method} ${url} answered ${reply.statusCode}: ${complaint}`);
    return payload;
  });
});

if (!process.env.VITEST)
  process.on('exit', () => {
    if (wrongAnswers.length === 0) return;
    process.exitCode = 1;
    console.error(`wrong answers:\n${[...new Set(wrongAnswers)].join('\n')}`);
  });
