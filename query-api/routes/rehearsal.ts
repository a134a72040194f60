/** The past rehearsed: the log is read, and a sandbox in this process's memory is played. Nothing of the site changes. */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import {
  type DoorNews,
  MOST_REHEARSALS,
  rehearsalCalls,
  type SaleNews,
  type SaleOutcome,
} from '#domain/contracts/rehearsal.ts';
import { toDecimal } from '#domain/kernel/money.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { playDoor } from '#domain/rehearsal/door.ts';
import type { Moment, Span } from '#domain/rehearsal/past.ts';
import { playSale } from '#domain/rehearsal/sale.ts';
import type { SaleFigures } from '#domain/rehearsal/sale-tally.ts';
import { type Asked, route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { IndexedLog, orUnreadable } from '#query-api/queries/log.ts';
import { atPace, doorOf, saleOf } from '#query-api/queries/rehearsal.ts';
import { recordLogRead } from './record.ts';

/** Something to play, with what is said in all its lines. */
interface Play<Figures, News> {
  readonly moments: Iterable<Moment<Figures>>;
  readonly pace: number | undefined;
  line(moment: Moment<Figures> | undefined, done: boolean): News;
}

type Progress = Pick<SaleNews, 'done' | 'at' | 'played' | 'of' | 'cut' | 'span'>;

const progressOf = (
  moment: Moment<unknown> | undefined,
  done: boolean,
  { cut, span }: { readonly cut: boolean; readonly span: Span },
): Progress => ({
  ...{ done, cut, played: moment?.played ?? 0, of: moment?.of ?? 0 },
  at: moment ? new Date(moment.at).toISOString() : null,
  span: span.to > 0 ? { from: new Date(span.from).toISOString(), to: new Date(span.to).toISOString() } : null,
});

const outcomeOf = ({ takings, paidBack, ...figures }: SaleFigures): SaleOutcome => ({
  ...figures,
  takings: toDecimal(takings),
  paidBack: toDecimal(paidBack),
});

const MINUTE = 60_000;
const SECOND = 1_000;

type AnyRehearsal = Asked<typeof rehearsalCalls.sale> | Asked<typeof rehearsalCalls.door>;

/** The rehearsals of a process: a few at once, each ended when its caller leaves, its session ends or the server closes. */
export const rehearsalRoutes = (app: App, context: QueryContext): void => {
  const { pool, log, codec, endings } = context;
  const parts = { codec, indexed: new IndexedLog(pool, log) };
  const playing = new Set<AbortController>();
  app.addHook('preClose', async () => {
    for (const one of playing) one.abort();
  });

  /** Takes a place, makes what is to be played, and answers with its lines. */
  const rehearse = async <Figures, News>(
    request: AnyRehearsal,
    reply: FastifyReply,
    make: () => Promise<Play<Figures, News>>,
  ): Promise<Readable | FastifyReply> => {
    // Whoever left while a hook waited sends no further `close`, and would keep a place for ever.
    if (reply.raw.destroyed) return reply.hijack();
    if (playing.size >= MOST_REHEARSALS)
      throw new Refusal(
        'CONFLICT',
        {},
        { message: 'Other rehearsals go on. Please wait until one has ended.' },
      );
    const ending = new AbortController();
    const { signal } = ending;
    const end = (): void => ending.abort();
    playing.add(ending);
    const forget = endings.follow(request.principal.sessionId, end);
    signal.addEventListener('abort', () => {
      playing.delete(ending);
      forget();
    });
    reply.raw.once('close', end);
    try {
      const { moments, pace, line } = await make().catch(orUnreadable);
      await recordLogRead(context, request, 'page', { stream: `inventory-${request.query.listing}` });
      const lines = async function* () {
        try {
          const steps = atPace(moments, pace, signal);
          let step = await steps.next();
          for (; !step.done; step = await steps.next()) yield `${JSON.stringify(line(step.value, false))}\n`;
          if (!signal.aborted) yield `${JSON.stringify(line(step.value, true))}\n`;
        } finally {
          end();
        }
      };
      reply.type('application/x-ndjson; charset=utf-8').header('cache-control', 'private, no-store');
      return Readable.from(lines());
    } catch (error) {
      end();
      throw error;
    }
  };

  route(app, rehearsalCalls.sale, (request, reply) =>
    rehearse(request, reply, async () => {
      const { listing, pace, capacity, price, hold } = request.query;
      const { script, cut } = await saleOf(parts, listing);
      const changes = { capacity, price, hold: hold === undefined ? undefined : hold * MINUTE };
      const was = outcomeOf(script.inFact);
      return {
        moments: playSale(script, changes),
        pace,
        line: (moment, done): SaleNews => ({
          ...progressOf(moment, done, { cut, span: script.span }),
          was,
          would: moment ? outcomeOf(moment.figures()) : was,
        }),
      };
    }),
  );

  route(app, rehearsalCalls.door, (request, reply) =>
    rehearse(request, reply, async () => {
      const { listing, pace, connected, takes } = request.query;
      const { script, cut } = await doorOf(parts, listing);
      const changes = {
        connected: connected === 'true',
        takes: takes === undefined ? undefined : takes * SECOND,
      };
      return {
        moments: playDoor(script, changes),
        pace,
        line: (moment, done): DoorNews => ({
          ...progressOf(moment, done, { cut, span: script.span }),
          was: script.inFact,
          would: moment ? moment.figures() : script.inFact,
        }),
      };
    }),
  );
};
