import { pino } from 'pino';
import type { Logger } from '#infra/lib/logger.ts';

/** A logger that writes nothing, for specs. */
export const silentLogger = (): Logger => pino({ level: 'silent' });
