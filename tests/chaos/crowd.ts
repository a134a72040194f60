import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Assignment, ClientReport, ToClient } from './client.ts';

export type Crowd = ReturnType<typeof sendOut>;

/** Sends buyers out from several processes at once. */
export const sendOut = (processes: number, assignment: Assignment) => {
  const clients: ChildProcess[] = [];
  const reports = Array.from({ length: processes }, (_, index) => {
    const client = fork(join(import.meta.dirname, 'client.ts'), { stdio: 'inherit' });
    clients.push(client);
    const buyers = assignment.buyers.filter((_buyer, nth) => nth % processes === index);
    const work: ToClient = { ...assignment, seed: `${assignment.seed}/client${index}`, buyers };
    client.send(work);
    return new Promise<ClientReport>((done, failed) => {
      client.once('message', (report) => done(report as ClientReport));
      client.once('exit', (code) => failed(new Error(`a client process ended with ${code}`)));
    });
  });
  const done = Promise.all(reports).then((all): ClientReport => {
    const counts: Record<string, number> = {};
    for (const report of all)
      for (const [status, count] of Object.entries(report.counts))
        counts[status] = (counts[status] ?? 0) + count;
    return {
      acknowledged: all.flatMap((report) => report.acknowledged),
      odd: all.flatMap((report) => report.odd),
      counts,
    };
  });
  // Told to whoever awaits it; a round that broke off does not.
  done.catch(() => undefined);
  return {
    /** Nothing is left to try for: whoever has not paid goes home. */
    over(): void {
      const word: ToClient = 'over';
      // Whoever is just going home need not hear it.
      for (const client of clients) if (client.connected) client.send(word, () => undefined);
    },
    done,
    kill(): void {
      for (const client of clients) client.kill('SIGKILL');
    },
  };
};
