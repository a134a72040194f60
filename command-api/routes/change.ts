import type { FastifyReply } from 'fastify';
import type * as z from 'zod/mini';
import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import type { Reply } from '#command-api/idempotency/replies.ts';
import { account } from '#domain/account/account.ts';
import { nameOf } from '#domain/account/state.ts';
import type { BodyOf, Call } from '#domain/contracts/call.ts';
import { headers } from '#domain/contracts/envelope.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { changedBetween } from '#domain/kernel/revision.ts';
import { POSITION_HEADER } from '#infra/http/position.ts';
import { contextOf, demandSignedIn } from '#infra/http/principal.ts';
import { type Answered, type Asked, route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';

const CONFLICT = 409;

export interface Changing<Ids> {
  readonly acting: ActingHandler;
  readonly ids: Ids;
  readonly reply: FastifyReply;
}

export type Change = <C extends Call, Ids extends object = object>(
  declared: C,
  handle: (request: Asked<C>, changing: Changing<Ids>) => Promise<Answered<C>>,
  allocate?: () => Ids | Promise<Ids>,
) => void;

const addressOf = (path: string, params: Readonly<Record<string, unknown>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]));

/** A repeat with the same `Idempotency-Key` gets the stored answer or runs with the same ids. */
export const changesOn =
  (app: App, { handler, clock, replies }: Pick<CommandDeps, 'handler' | 'clock' | 'replies'>): Change =>
  <C extends Call, Ids extends object>(
    declared: C,
    handle: (request: Asked<C>, changing: Changing<Ids>) => Promise<Answered<C>>,
    allocate: () => Ids | Promise<Ids> = () => ({}) as Ids,
  ): void =>
    route(app, declared, async (request, reply) => {
      const execute = async (ids: Ids) => {
        const acting = handler.as(contextOf(request, clock));
        try {
          const answered = await handle(request, { acting, ids, reply });
          reply.position(acting.position);
          return answered;
        } catch (error) {
          // After a conflict the client must read what caused it. Other refusals may concern other people's
          // data, whose last change must not leak.
          if (error instanceof Refusal && error.status === CONFLICT) reply.position(acting.position);
          throw error;
        }
      };
      const key = request.headers['idempotency-key'];
      if (!declared.idempotent || typeof key !== 'string' || key === '') return execute(await allocate());

      const asked = {
        user: demandSignedIn(request.principal).accountId,
        key,
        call: `${declared.method} ${addressOf(declared.path, { ...(request.params as object) })}`,
        body: request.body,
      };
      const answer = await replies.once(asked, allocate, async (ids): Promise<Reply> => {
        const body = await execute(ids);
        const position = reply.getHeader(POSITION_HEADER);
        return {
          status: reply.statusCode,
          body,
          ...(position !== undefined && { headers: { [headers.position]: String(position) } }),
        };
      });
      reply.code(answer.status).headers(answer.headers ?? {});
      return answer.body as Answered<C>;
    });

type Editing = Call & {
  readonly body: z.ZodMiniType<{ readonly revision?: string | undefined }>;
  readonly answer: z.ZodMiniType<{ readonly revision: string }>;
};

const giverOf = async (by: unknown, acting: ActingHandler): Promise<string | null> =>
  typeof by === 'string' ? nameOf((await acting.state(account, by)).state) || null : null;

/** An outdated `revision` is refused with CHANGED_MEANWHILE. */
export const editsOn = (app: App, deps: Parameters<typeof changesOn>[1]) => {
  const change = changesOn(app, deps);
  return <C extends Editing>(
    declared: C,
    edit: (request: Asked<C>, acting: ActingHandler) => Promise<unknown>,
    answer: (request: Asked<C>, acting: ActingHandler) => Promise<Answered<C>>,
  ): void =>
    change(declared, async (request, { acting }) => {
      const { revision, ...body } = request.body as { readonly revision?: string | undefined };
      request.body = body as typeof request.body;
      acting.since(revision);
      try {
        await edit(request, acting);
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== 'CHANGED_MEANWHILE' || !revision) throw error;
        const current = (await answer(request, acting)) as { readonly revision: string };
        const { at, by } = error.details;
        throw new Refusal(error.code, {
          changed: changedBetween(revision, current.revision).map((name) => name.replace(/^\d+\./, '')),
          at,
          by: await giverOf(by, acting),
          current,
        });
      }
      return answer(request, acting);
    });
};

type OfOne<Id> = Call & { readonly params: z.ZodMiniType<{ readonly id: Id }> };

export const crudOn = (app: App, deps: Parameters<typeof changesOn>[1]) => {
  const change = changesOn(app, deps);
  const edits = editsOn(app, deps);
  return <
    Id extends string | number,
    Create extends Call,
    Edit extends Editing & OfOne<Id>,
    Remove extends OfOne<Id> & { readonly answer: z.ZodMiniType<{ readonly message: string }> },
  >(
    calls: { readonly create: Create; readonly edit: Edit; readonly remove: Remove },
    {
      newId,
      create,
      edit,
      remove,
      answer,
      removed,
    }: {
      newId(): Id | Promise<Id>;
      create(id: Id, body: BodyOf<Create>, acting: ActingHandler): Promise<unknown>;
      edit(id: Id, body: BodyOf<Edit>, acting: ActingHandler): Promise<unknown>;
      remove(id: Id, acting: ActingHandler): Promise<unknown>;
      answer(id: Id, acting: ActingHandler): Promise<Answered<Create> & Answered<Edit>>;
      removed(id: Id): string;
    },
  ): void => {
    const idOf = ({ params }: { readonly params: unknown }): Id => (params as { readonly id: Id }).id;
    change(
      calls.create,
      async ({ body }, { acting, ids: { id } }: Changing<{ readonly id: Id }>) => {
        await create(id, body, acting);
        return answer(id, acting);
      },
      async () => ({ id: await newId() }),
    );
    edits(
      calls.edit,
      (request, acting) => edit(idOf(request), request.body, acting),
      (request, acting) => answer(idOf(request), acting),
    );
    change(calls.remove, async (request, { acting }) => {
      await remove(idOf(request), acting);
      return { message: removed(idOf(request)) } as Answered<Remove>;
    });
  };
};
