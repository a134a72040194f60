import { setTimeout as pause } from 'node:timers/promises';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import type { ImageStore } from '#infra/images/image-store.ts';
import { LIVE } from '#infra/read-models/read-models.ts';

/** Everything that names a picture: the gallery, listings (deleted ones too, which bookings still show), settings, and documents. */
const USED = `select path from ${LIVE}.image union select image_url from ${LIVE}.listing where image_url is not null
  union select value from ${LIVE}.setting union select jsonb_array_elements_text(images) from ${LIVE}.document`;

/**
 * Deletes the files of pictures that nothing names any more and that were stored before a moment. Returns how many. What names them is
 * asked of read models, which are nearly empty while they are made anew, and know nothing of what parked events say.
 * @param patience how long they may need to catch up, in milliseconds
 * @throws if they are behind the log, or an event is parked: then nothing was deleted
 */
export const sweepImages = async (
  {
    database: { pool },
    images,
    log,
  }: Pick<CommandDeps, 'database' | 'log'> & { readonly images: ImageStore },
  before: Date,
  patience = 1_000,
): Promise<number> => {
  const head = await log.head();
  const isBehind = async (): Promise<boolean> => {
    const { rows } = await pool.query<{ position: string; parked: boolean }>(
      `select position, exists (select from ${LIVE}.parked) as parked from ${LIVE}.checkpoint`,
    );
    return !rows[0] || rows[0].parked || rows[0].position < head;
  };
  if (await isBehind()) {
    await pause(patience);
    if (await isBehind()) throw new Error('The read models are behind the log, so no picture is deleted');
  }
  const { rows } = await pool.query<{ path: string }>(USED);
  // A setting may hold the whole address.
  const used = new Set(rows.map(({ path }) => path.replace(/^https?:\/\/[^/]+/, '')));
  return images.sweep((path) => used.has(path), before);
};
