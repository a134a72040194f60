import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { Turns } from '#infra/lib/turns.ts';
import type { TicketDocument } from './ticket-pdf.ts';

/** People come before mails. */
export type Reader = 'person' | 'mail';

export interface TicketPrinter {
  print(ticket: TicketDocument, reader: Reader): Promise<Buffer>;
  undrawable(text: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Milliseconds that an idle thread keeps its fonts. */
const IDLE = 30_000;
/** `nice` value: sales come before documents. */
const STAND_BACK = 5;

/** @param threads default: leaves one core to the event loop and PostgreSQL */
export const openTicketPrinter = ({
  threads = Math.max(1, availableParallelism() - 1),
}: {
  readonly threads?: number;
} = {}): TicketPrinter => {
  const pool = new Piscina({
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE,
    niceIncrement: STAND_BACK,
    // Threads must not get the process's flags (spec checks, profilers) or the site's secrets.
    execArgv: [],
    env: {},
  });
  /** With each task: otherwise a program that can't be loaded ends the process. */
  const filename = new URL('draw.ts', import.meta.url).href;
  // The pool's own queue ignores priorities: give it only as many tasks as it has threads.
  const turns = new Turns(threads);
  return {
    async print(ticket, reader) {
      const bytes: Uint8Array<ArrayBuffer> = await turns.take(
        () => pool.run(ticket, { filename }),
        reader === 'person',
      );
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    },
    undrawable: (text) => turns.take(() => pool.run(text, { filename, name: 'undrawable' }), true),
    close: () => pool.destroy(),
  };
};
