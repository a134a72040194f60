import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '#infra/postgres/database.ts';
import { inTransaction } from '#infra/postgres/transaction.ts';
import type { Queue } from '#infra/queue/queue.ts';
import { migratedDatabase } from '#tests/kit/database.ts';
import { atTheEnd } from '#tests/kit/endings.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import {
  MAIL_KINDS,
  type Mail,
  MailServerAway,
  type Message,
  RecipientRefused,
  type Transport,
} from './mailer.ts';
import {
  createOutbox,
  givenUpMails,
  oldestMail,
  retryMail,
  type SenderOptions,
  sendMails,
} from './outbox.ts';
import { fileTransport, smtpTransport } from './transports.ts';

const database = migratedDatabase();
beforeEach(() => database.pool.query('truncate app.outbox'));

const mail = (key: string): Mail => ({
  kind: 'verify-email',
  accountId: 'a1',
  data: { token: 'secret' },
  key,
});
const message: Message = { to: 'zoe@example.com', subject: 'Žluťoučký', html: '<p>Hi</p>', text: 'Hi' };

/** Notes what it was handed, or refuses it. */
const notingTransport = () => {
  const sent: string[] = [];
  const state = { down: false };
  const transport: Transport = {
    async send(_message, id) {
      if (state.down) throw new Error('421 try later');
      sent.push(id);
    },
    forget: async () => undefined,
    close: async () => undefined,
  };
  return { sent, state, transport };
};

const rows = async () => (await database.pool.query('select * from app.outbox order by id')).rows;

type Options = Partial<SenderOptions> & Pick<SenderOptions, 'transport'>;
const start = (options: Options): Queue => {
  const queue = sendMails({ pool: database.pool, compose: async () => message, every: 5, ...options });
  atTheEnd(queue.stop);
  return queue;
};

/** Sends until no mail is due. Resolves to how many were sent. */
const send = async (options: Options): Promise<number> => {
  let count = 0;
  const queue = start({
    ...options,
    sent: async (mail) => {
      count++;
      await options.sent?.(mail);
    },
  });
  await eventually(async () => {
    const { rows: due } = await database.pool.query(
      'select from app.outbox where sent_at is null and given_up is null and due_at <= now() and kind = any($1)',
      [MAIL_KINDS],
    );
    expect(due).toEqual([]);
  });
  await queue.stop();
  return count;
};

describe('the outbox', () => {
  it('sends a mail once, however often it is added, and then deletes its contents', async () => {
    const outbox = createOutbox(database.pool);
    await outbox.enqueue(mail('once'));
    await outbox.enqueue(mail('once'));
    const { sent, transport } = notingTransport();
    expect(await send({ transport })).toBe(1);
    // The row stays, and its key with it.
    await outbox.enqueue(mail('once'));
    expect(await send({ transport })).toBe(0);
    expect(sent).toEqual(['once']);
    expect(await rows()).toMatchObject([{ data: null, attempts: 1 }]);
  });

  it('leaves an unknown kind of mail to a newer program', async () => {
    const outbox = createOutbox(database.pool);
    const unknown = { ...mail('newer'), kind: 'seat-upgraded' as Mail['kind'] };
    await outbox.enqueue([unknown, mail('known')]);
    const { sent, transport } = notingTransport();
    const compose = async ({ kind }: Mail) => (kind === 'verify-email' ? message : undefined);
    expect(await send({ transport, compose })).toBe(1);
    expect(sent).toEqual(['known']);
    expect((await rows())[0]).toMatchObject({ key: 'newer', given_up: null, data: unknown.data });
  });

  it('adds a mail in the caller’s transaction: a rollback removes it', async () => {
    const outbox = createOutbox(database.pool);
    const undone = inTransaction(database.pool, async (client) => {
      await outbox.enqueue(mail('undone'), client);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await inTransaction(database.pool, (client) => outbox.enqueue(mail('done'), client));
    expect((await rows()).map(({ key }) => key)).toEqual(['done']);
  });

  it('notifies other processes of a mail, except inside a transaction, whose commit would wait for others', async () => {
    const outbox = createOutbox(database.pool);
    const client = await database.pool.connect();
    atTheEnd(() => client.release(true));
    let heard = 0;
    client.on('notification', () => heard++);
    await client.query('listen outbox');
    await inTransaction(database.pool, (transaction) => outbox.enqueue(mail('inside'), transaction));
    await outbox.enqueue(mail('outside'));
    // Notifications arrive in the order of the commits.
    await eventually(() => expect(heard).toBe(1));
  });

  it('retries with the same id when the server refuses', async () => {
    await createOutbox(database.pool).enqueue(mail('later'));
    const { sent, state, transport } = notingTransport();
    state.down = true;
    expect(await send({ transport })).toBe(0);
    const [waiting] = await rows();
    expect(waiting).toMatchObject({ attempts: 1, last_error: '421 try later', sent_at: null });
    expect(waiting.due_at.getTime()).toBeGreaterThan(waiting.created_at.getTime());
    state.down = false;
    await database.pool.query('update app.outbox set due_at = now()');
    expect(await send({ transport })).toBe(1);
    expect(sent).toEqual(['later']);
  });

  it('does not store an address that a mail server quotes in its refusal', async () => {
    await createOutbox(database.pool).enqueue(mail('refused'));
    const { transport } = notingTransport();
    const refusing = {
      ...transport,
      send: () => Promise.reject(new Error('550 5.1.1 <zoe@example.com>: no such mailbox')),
    };
    expect(await send({ transport: refusing })).toBe(0);
    expect((await rows())[0].last_error).toBe('550 5.1.1 <[…]>: no such mailbox');
  });

  it.each([
    ['template-test', { templateId: 7 }, { templateId: 7 }],
    ['verify-email', { token: 'secret' }, null],
  ] as const)(
    'gives up a mail whose recipient the mail server has refused for an hour: %s',
    async (kind, data, left) => {
      await createOutbox(database.pool).enqueue({ kind, accountId: 'a1', data, key: 'refused' });
      const refusing: Transport = {
        ...notingTransport().transport,
        send: () => Promise.reject(new RecipientRefused('550 5.1.1 no such mailbox')),
      };
      // It has waited for long already, as after an outage: that says nothing of its address.
      await database.pool.query(
        `update app.outbox set attempts = 9, created_at = now() - interval '3 hours'`,
      );
      for (const given_up of [null, null, null, 'refused by the mail server']) {
        if (given_up !== null)
          await database.pool.query(
            `update app.outbox set refused_since = refused_since - interval '61 minutes'`,
          );
        expect(await send({ transport: refusing })).toBe(0);
        expect((await rows())[0].given_up).toBe(given_up);
        await database.pool.query('update app.outbox set due_at = now()');
      }
      expect((await rows())[0]).toMatchObject({
        attempts: 13,
        last_error: '550 5.1.1 no such mailbox',
        data: left,
      });
      expect(await oldestMail(database.pool)).toBe(0);
      const [row] = await givenUpMails(database.pool);
      expect(await retryMail(database.pool, row?.id ?? '')).toBe(left !== null);
      if (left === null) return;
      expect(await send({ transport: refusing })).toBe(0);
      expect((await rows())[0].given_up).toBeNull();
    },
  );

  it('counts a mail as sent even if the following query fails', async () => {
    await createOutbox(database.pool).enqueue(mail('unnoted'));
    const { sent, transport } = notingTransport();
    const heard: unknown[] = [];
    const count = await send({
      transport,
      sent: () => Promise.reject(new Error('the log is away')),
      onFailure: (_mail, error) => heard.push(error),
    });
    expect(count).toBe(1);
    expect(heard).toEqual([new Error('the log is away')]);
    expect((await rows())[0]).toMatchObject({ attempts: 1, last_error: null });
    expect(await send({ transport })).toBe(0);
    expect(sent).toEqual(['unnoted']);
  });

  it('stops after the current mail when the process ends', async () => {
    const outbox = createOutbox(database.pool);
    for (const key of ['first', 'second', 'third']) await outbox.enqueue(mail(key));
    const { sent, transport } = notingTransport();
    let stopped: Promise<void> | undefined;
    const queue = start({
      transport,
      async compose() {
        stopped = queue.stop();
        return message;
      },
    });
    await eventually(() => expect(stopped).toBeDefined());
    await stopped;
    expect(sent).toEqual(['first']);
    expect(await send({ transport })).toBe(2);
  });

  it('lists a mail that is more than 24 hours late and does not send it', async () => {
    await createOutbox(database.pool).enqueue(mail('late'));
    await database.pool.query(`update app.outbox set created_at = now() - interval '25 hours'`);
    const { sent, transport } = notingTransport();
    expect(await send({ transport })).toBe(0);
    expect(sent).toEqual([]);
    expect(await givenUpMails(database.pool)).toMatchObject([
      { kind: 'verify-email', why: 'more than 24 hours late' },
    ]);
    expect((await rows())[0].data).toBeNull();
  });

  it('gives up a mail whose recipient no longer exists', async () => {
    await createOutbox(database.pool).enqueue(mail('erased'));
    const { sent, transport } = notingTransport();
    expect(await send({ transport, compose: async () => undefined })).toBe(0);
    expect(sent).toEqual([]);
    expect((await rows())[0].given_up).toBe('nobody to write to');
  });

  it('sends several mails at once, up to the limit', async () => {
    const outbox = createOutbox(database.pool);
    for (let index = 0; index < 12; index++) await outbox.enqueue(mail(`m${index}`));
    const { sent, transport } = notingTransport();
    const all = Promise.withResolvers<void>();
    let under = 0;
    let most = 0;
    const sending: Transport = {
      ...transport,
      async send(about, id) {
        most = Math.max(most, ++under);
        // Each that is sent opens the way for another one. The later ones wait until they are as many as there may be.
        if (sent.length > 1 && most < 3) await all.promise;
        if (most === 3) all.resolve();
        await transport.send(about, id);
        under--;
      },
    };
    expect(await send({ transport: sending, atOnce: 3 })).toBe(12);
    expect(new Set(sent).size).toBe(12);
    expect(most).toBe(3);
  });

  it('leaves half of the connections to composing mails, however many are sent at once', async () => {
    const { pool, close } = openDatabase(database.url, { max: 4 });
    atTheEnd(close);
    const outbox = createOutbox(pool);
    for (let index = 0; index < 12; index++) await outbox.enqueue(mail(`m${index}`));
    const { sent, transport } = notingTransport();
    let under = 0;
    let most = 0;
    const compose = async (): Promise<Message> => {
      most = Math.max(most, ++under);
      await pool.query('select pg_sleep(0.05)');
      under--;
      return message;
    };
    expect(await send({ pool, transport, compose, atOnce: 50 })).toBe(12);
    expect(sent).toHaveLength(12);
    expect(most).toBeLessThanOrEqual(2);
  });

  it('tries a single mail while the mail server is down, and reports the reason', async () => {
    const outbox = createOutbox(database.pool);
    for (const key of ['first', 'second', 'third']) await outbox.enqueue(mail(key));
    const { transport } = notingTransport();
    let tries = 0;
    const away: Transport = {
      ...transport,
      async send() {
        tries++;
        throw new MailServerAway('connect ECONNREFUSED');
      },
    };
    const heard: unknown[] = [];
    const outage = Promise.withResolvers<unknown>();
    const queue = start({
      transport: away,
      atOnce: 3,
      onFailure: (_mail, error) => heard.push(error),
      trouble: { met: outage.resolve, over: () => undefined, failures: 0 },
    });
    expect(await outage.promise).toBeInstanceOf(MailServerAway);
    await queue.stop();
    expect(tries).toBe(1);
    expect(heard).toEqual([]);
    expect((await rows()).map(({ attempts }) => attempts)).toEqual([1, 0, 0]);
  });

  it('lets two processes send in parallel without sending twice', async () => {
    const outbox = createOutbox(database.pool);
    for (let index = 0; index < 20; index++) await outbox.enqueue(mail(`m${index}`));
    const { sent, transport } = notingTransport();
    await Promise.all([send({ transport }), send({ transport })]);
    expect([...sent].sort()).toEqual(Array.from({ length: 20 }, (_, index) => `m${index}`).sort());
  });
});

describe('mail transports', () => {
  it('write a complete .eml file with its attachment, readable by its owner only, and remove it again', async () => {
    const folder = await freshFolder();
    const written: unknown[] = [];
    const transport = fileTransport(folder, 'Reprise <no-reply@localhost>', (file, { link }) =>
      written.push([file, link]),
    );
    const pdf = { filename: 'ticket-1.pdf', content: Buffer.from('%PDF'), contentType: 'application/pdf' };
    await transport.send(
      { ...message, link: 'http://localhost/verify-email?token=t', attachments: [pdf] },
      'a:b/c',
    );
    const files = await readdir(folder);
    expect(files).toEqual(['a_b_c.eml']);
    const text = await readFile(join(folder, files[0] ?? ''), 'utf8');
    expect(text).toContain('To: zoe@example.com');
    expect(text).toContain('ticket-1.pdf');
    expect(written).toEqual([[join(folder, 'a_b_c.eml'), 'http://localhost/verify-email?token=t']]);
    expect((await stat(join(folder, 'a_b_c.eml'))).mode & 0o777).toBe(0o600);
    await transport.send(message, 'another');
    await transport.forget(['a:b/c', 'never sent']);
    expect(await readdir(folder)).toEqual(['another.eml']);
    await transport.close();
  });

  it('hand a message to an SMTP server, and throw when it is refused', async () => {
    const received: string[] = [];
    const refusals = new Map<string, { readonly responseCode: number; readonly says: string }>([
      ['nobody@example.com', { responseCode: 550, says: '5.1.1 nobody here' }],
      ['nobody.closed@example.com', { responseCode: 550, says: '5.2.1 the account is disabled' }],
      ['nobody.plain@example.com', { responseCode: 550, says: 'No such user' }],
      ['full@example.com', { responseCode: 452, says: '4.2.2 the mailbox is full' }],
      // These say that the server does not take mails from us, not that nobody is there.
      ['policy@example.com', { responseCode: 550, says: '5.7.1 not from you' }],
      ['relay@example.com', { responseCode: 550, says: 'relay not permitted' }],
      ['verify@example.com', { responseCode: 550, says: 'Sender verify failed' }],
      ['quota@example.com', { responseCode: 550, says: '5.4.5 quota of the user exceeded' }],
      ['sender@example.com', { responseCode: 553, says: '5.1.8 bad address of the sender' }],
    ]);
    let connections = 0;
    const server = new SMTPServer({
      onConnect(_session, done) {
        connections++;
        done();
      },
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo({ address }, _session, done) {
        const refusal = refusals.get(address);
        done(refusal ? Object.assign(new Error(refusal.says), refusal) : null);
      },
      onData(stream, _session, done) {
        let text = '';
        stream.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        stream.on('end', () => {
          received.push(text);
          done();
        });
      },
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const address = server.server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const transport = smtpTransport(`smtp://127.0.0.1:${port}`, 'Reprise <no-reply@localhost>');
    await transport.send(message, 'smtp-1');
    expect(received).toHaveLength(1);
    expect(received[0]).toContain('From: Reprise <no-reply@localhost>');
    for (const [to, { responseCode }] of refusals) {
      const refused = transport.send({ ...message, to }, `smtp-${to}`);
      await expect(refused).rejects.toThrow(String(responseCode));
      await expect(refused).rejects.not.toThrow(MailServerAway);
      if (to.startsWith('nobody')) await expect(refused).rejects.toThrow(RecipientRefused);
      else await expect(refused).rejects.not.toThrow(RecipientRefused);
    }
    // All went over one connection.
    expect(connections).toBe(1);
    await transport.close();
    await new Promise<void>((resolve) => server.close(() => resolve()));
    const nobody = smtpTransport(`smtp://127.0.0.1:${port}`, 'Reprise <no-reply@localhost>');
    await expect(nobody.send(message, 'smtp-3')).rejects.toThrow(MailServerAway);
    await nobody.close();
  });
});
