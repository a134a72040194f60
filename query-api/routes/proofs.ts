import { Readable } from 'node:stream';
import { headers } from '#domain/contracts/envelope.ts';
import { type LogCheck, proofCalls, type Receipt } from '#domain/contracts/log-proofs.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { consistencyRanges, inclusionRanges, readCheckpoint } from '#domain/proof/proof.ts';
import type { RecordedEvent } from '#infra/event-log/event-log.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import {
  exportedLines,
  hashesOfRanges,
  indexOf,
  keyIdOf,
  nameAt,
  newestCheckpoint,
  placeIn,
  readTree,
  treeToExport,
} from '#infra/proof/proof.ts';
import { COMPARE_LOG } from '#infra/queue/operations.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { IndexedLog } from '#query-api/queries/log.ts';
import { recordExport } from './record.ts';

const CHECKS = 5;

export const proofRoutes = (app: App, context: QueryContext): void => {
  const { pool, db, log, clock, checkpointSigner } = context;
  const indexed = new IndexedLog(pool, log);
  const eventAt = async (stream: string, revision: number): Promise<RecordedEvent> => {
    const [event] = await Array.fromAsync(log.readStream(stream, { from: revision, limit: 1 }));
    if (event?.revision !== revision) throw new Refusal('NOT_FOUND');
    return event;
  };

  const prove = async (event: RecordedEvent): Promise<Receipt> => {
    const index = await indexOf(pool, event);
    const checkpoint = index === undefined ? undefined : await newestCheckpoint(pool, index + 1);
    const size = checkpoint && readCheckpoint(checkpoint)?.size;
    if (index === undefined || !checkpoint || !size) throw new Refusal('NOT_PROVEN_YET');
    const { id, stream, revision, type, version, recordedAt, meta, data } = event;
    const path = await hashesOfRanges(pool, inclusionRanges(index, size));
    return {
      format: 'reprise-receipt/1',
      index,
      entry: { id, stream, revision, type, version, recordedAt, meta, data },
      path: path.map((hash) => hash.toString('base64')),
      checkpoint,
    };
  };

  route(app, proofCalls.checkpoint, async (_request, reply) => {
    const note = await newestCheckpoint(pool);
    if (note === undefined) throw new Refusal('NOT_PROVEN_YET');
    return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-cache').send(note);
  });

  route(app, proofCalls.checkpointOf, async ({ params }, reply) => {
    const { rows } = await pool.query<{ note: string }>(
      'SELECT note FROM app.tree_checkpoint WHERE size = $1',
      [params.size],
    );
    if (!rows[0]) throw new Refusal('NOT_FOUND');
    return reply.type('text/plain; charset=utf-8').send(rows[0].note);
  });

  route(app, proofCalls.consistency, async ({ query: { from, to } }) => {
    if (from > to || to > (await readTree(pool)).size) throw new Refusal('NOT_FOUND');
    const path = await hashesOfRanges(pool, consistencyRanges(from, to));
    return { path: path.map((hash) => hash.toString('base64')) };
  });

  route(app, proofCalls.keys, async (_request, reply) => {
    const { origin } = await readTree(pool);
    reply.header('cache-control', 'public, max-age=300');
    return {
      origin,
      keys: checkpointSigner.publicKeys.map((key) => ({
        id: keyIdOf(origin ?? '', key).toString('hex'),
        algorithm: 'Ed25519' as const,
        publicKey: Buffer.from(key).toString('base64url'),
      })),
    };
  });

  const placed = (bookingId: number): Promise<RecordedEvent> => eventAt(`booking-${bookingId}`, 0);

  route(app, proofCalls.booking, async ({ params, principal }) => {
    const own = await db
      .selectFrom('booking')
      .select('id')
      .where('id', '=', params.id)
      .where('user_id', '=', principal.accountId)
      .executeTakeFirst();
    if (!own) throw new Refusal('BOOKING_NOT_FOUND');
    return prove(await placed(own.id));
  });

  route(app, proofCalls.entry, async ({ query }) => {
    const { id, entry, stream, revision, booking, reference } = query;
    if (id !== undefined) return prove(await indexed.one(id));
    if (booking !== undefined) return prove(await placed(booking));
    if (reference !== undefined) {
      const named = await db
        .selectFrom('booking')
        .select('id')
        .where('reference', '=', reference)
        .executeTakeFirst();
      if (!named) throw new Refusal('BOOKING_NOT_FOUND');
      return prove(await placed(named.id));
    }
    if (stream !== undefined && revision !== undefined) return prove(await eventAt(stream, revision));
    if (entry === undefined) throw new Refusal('BAD_INPUT');
    const name = await nameAt(pool, entry - 1);
    if (name === undefined) throw new Refusal('NOT_FOUND');
    const place = placeIn(name);
    return prove(await eventAt(place.stream, place.revision));
  });

  route(app, proofCalls.export, async (request, reply) => {
    const tree = await treeToExport(pool);
    await recordExport(context, request, { what: 'log', rows: tree.size });
    const day = clock().toISOString().slice(0, 10);
    reply
      .type('application/x-ndjson; charset=utf-8')
      .header(headers.total, tree.size)
      .header('content-disposition', `attachment; filename="proven-log-${day}.ndjson"`)
      .header('cache-control', 'private, no-store');
    return Readable.from(exportedLines(pool, log, tree));
  });

  route(app, proofCalls.verification, async () => {
    const { size, broken, brokenAt } = await readTree(pool);
    const [{ rows: signed }, { rows: checks }] = await Promise.all([
      pool.query<{ size: number; signed_at: Date }>(
        'SELECT size, signed_at FROM app.tree_checkpoint ORDER BY size DESC LIMIT 1',
      ),
      pool.query<LogCheck>(
        `SELECT id, asked_at AS "askedAt", asked_by AS "askedBy", started_at AS "startedAt", ended_at AS "doneAt",
           coalesce(events, 0) AS compared, size, findings, outcome AS error
           FROM app.operation WHERE kind = $2 ORDER BY id DESC LIMIT $1`,
        [CHECKS, COMPARE_LOG],
      ),
    ]);
    const instant = (time: Date | string | null): string | null => time && new Date(time).toISOString();
    return {
      size,
      signedSize: signed[0]?.size ?? 0,
      signedAt: instant(signed[0]?.signed_at ?? null),
      broken,
      brokenAt: instant(brokenAt),
      checks: checks.map((check) => ({
        ...check,
        askedAt: new Date(check.askedAt).toISOString(),
        startedAt: instant(check.startedAt),
        doneAt: instant(check.doneAt),
      })),
    };
  });
};
