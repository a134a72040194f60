/** The receivers of what a site sends: a mail server and an organiser's webhook endpoint. Both record what they accept, and can refuse for a while. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { hasCode } from '#infra/lib/machine.ts';

export interface Outside {
  /** Whether it refuses everything, as one that is down. */
  away: boolean;
  /** What it took: of each mail its Message-ID, of each delivery its path and `webhook-id`. */
  readonly taken: string[];
  close(): Promise<void>;
}

/** Listens at any free port. */
export const startMailServer = async (): Promise<Outside & { readonly url: string }> => {
  const taken: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom(_from, _session, done) {
      done(outside.away ? Object.assign(new Error('try later'), { responseCode: 421 }) : null);
    },
    async onData(stream, _session, done) {
      taken.push(
        /^Message-ID: (.+)$/im.exec((await buffer(stream)).toString())?.[1] ?? 'a mail without an id',
      );
      done();
    },
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.server.address() as AddressInfo;
  const outside = {
    away: false,
    taken,
    url: `smtp://127.0.0.1:${port}`,
    close: () => new Promise<void>((closed) => server.close(closed)),
  };
  return outside;
};

/** The address that the fixture's webhooks have. The log keeps it, so that it can't be any free one. */
export const ORGANISER_PORT = 23_927;
/** Another run on this machine may have the port, in milliseconds: for at most so long. */
const LONGEST_TURN = 300_000;

/** Listens at `ORGANISER_PORT`, once it is free. */
export const startOrganiser = async (): Promise<Outside> => {
  const taken: string[] = [];
  const server = createServer(async (request, response) => {
    await buffer(request);
    if (!organiser.away) taken.push(`${request.url} ${request.headers['webhook-id']}`);
    response.writeHead(organiser.away ? 503 : 204).end();
  });
  const deadline = Date.now() + LONGEST_TURN;
  const listen = () =>
    new Promise<void>((done, failed) => {
      server.once('error', failed).listen(ORGANISER_PORT, '127.0.0.1', () => {
        server.off('error', failed);
        done();
      });
    });
  for (;;) {
    try {
      await listen();
      break;
    } catch (error) {
      if (!hasCode(error, 'EADDRINUSE') || Date.now() > deadline) throw error;
      await pause(500);
    }
  }
  const organiser = {
    away: false,
    taken,
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  return organiser;
};
