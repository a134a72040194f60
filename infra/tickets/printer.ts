/** Draws tickets in threads of their own, so that no event loop that answers people waits for a document. */
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { Turns } from '#infra/lib/turns.ts';
import type { TicketDocument } from './ticket-pdf.ts';

/** Who waits for a document: a person, before a screen, or a mail. People go first. */
export type Reader = 'person' | 'mail';

/** Draws tickets, several at once, until it is closed. */
export interface TicketPrinter {
  /** Draws a booking's tickets as a PDF. */
  print(ticket: TicketDocument, reader: Reader): Promise<Buffer>;
  /** The characters of a text that tickets show as boxes, since no font has them. */
  undrawable(text: string): Promise<readonly string[]>;
  /** Ends the threads. What is being drawn fails. */
  close(): Promise<void>;
}

/** For how long a thread that draws nothing keeps its fonts open, in milliseconds. */
const IDLE = 30_000;
/** How far threads stand back behind the event loop, as `nice` counts: a sale goes before its documents. */
const STAND_BACK = 5;

/** A printer. Its threads start with the first document. @param threads default: one core is left to the event loop and to PostgreSQL */
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
    // What the process was started with (checks of specs, profilers) is not for the threads, nor are the site's secrets.
    execArgv: [],
    env: {},
  });
  /** Named with each task: a program that can't be loaded would otherwise be nobody's failure, and end the process. */
  const filename = new URL('draw.ts', import.meta.url).href;
  // A pool has a queue of its own, which knows nothing of who waits: it gets no more than its threads can begin.
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
