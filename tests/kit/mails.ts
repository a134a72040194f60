import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import type { StartedSite } from './started-site.ts';

type Site = Pick<StartedSite, 'dataDir'>;

/** A mail's bytes as text, its quoted-printable parts opened. */
const opened = (raw: string): string =>
  raw
    .replace(/=\r\n/g, '')
    .replace(/((?:=[0-9A-F]{2})+)/g, (hex) => Buffer.from(hex.replaceAll('=', ''), 'hex').toString());

/** Waits for the mail to an address that `has` finds, among those that the site writes as files. */
export const mailTo = async ({ dataDir }: Site, address: string, has: RegExp): Promise<string> => {
  const folder = join(dataDir, 'outbox');
  const others = new Set<string>();
  return eventually(async () => {
    for (const file of await readdir(folder)) {
      if (!file.endsWith('.eml') || others.has(file)) continue;
      const mail = opened(await readFile(join(folder, file), 'utf8'));
      if (mail.includes(`To: ${address}`) && has.test(mail)) return mail;
      others.add(file);
    }
    throw new Error(`no mail to ${address} has ${has}`);
  });
};

/** The link in the verification mail to an address. */
export const verificationLink = async (site: Site, address: string): Promise<string> => {
  const link = /https?:\/\/\S+\/verify-email\?token=[\w-]+/;
  return link.exec(await mailTo(site, address, link))?.[0] ?? '';
};
