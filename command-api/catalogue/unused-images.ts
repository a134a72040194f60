import { setTimeout as pause } from 'node:timers/promises';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import type { ImageStore } from '#infra/images/image-store.ts';
import { LIVE } from '#infra/read-models/read-models.ts';

/** With deleted listings: bookings still show their pictures. */
const USED = `select path from ${LIVE}.image union select image_url from ${LIVE}.listing where image_url is not null
  union select value from ${LIVE}.setting union select jsonb_array_elements_text(images) from ${LIVE}.document`;

/**
 * Returns how many files were deleted. Throws, and deletes nothing, if the read models may lack uses.
 * @param patience milliseconds for them to catch up
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
  const used = new Set(rows.map(({ path }) => path.replace(/^https?:\/\/[^/]+/, '')));
  return images.sweep((path) => used.has(path), before);
};
