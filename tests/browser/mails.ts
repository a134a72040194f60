import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { PATIENCE } from './chromium.ts';
import type { Site } from './site.ts';

/** A mail's bytes as text, its quoted-printable parts opened. */
const opened = (raw: string): string =>
  raw
    .replace(/=\r\n/g, '')
    .replace(/((?:=[0-9A-F]{2})+)/g, (hex) => Buffer.from(hex.replaceAll('=', ''), 'hex').toString());

/** Waits for the mail to an address that `has` finds, among those that the site wrote as files. */
export const mailTo = async (site: Site, address: string, has: RegExp): Promise<string> =>
  vi.waitFor(
    async () => {
      const folder = join(site.dataDir, 'outbox');
      const files = (await readdir(folder)).filter((file) => file.endsWith('.eml'));
      const mails = await Promise.all(
        files.map(async (file) => opened(await readFile(join(folder, file), 'utf8'))),
      );
      const mail = mails.find((text) => text.includes(`To: ${address}`) && has.test(text));
      expect(mail, `a mail to ${address} with ${has}`).toBeDefined();
      return mail ?? '';
    },
    { timeout: PATIENCE, interval: 100 },
  );

/** The link in the verification mail to an address. */
export const verificationLink = async (site: Site, address: string): Promise<string> => {
  const link = /https?:\/\/\S+\/verify-email\?token=[\w-]+/;
  return link.exec(await mailTo(site, address, link))?.[0] ?? '';
};
