import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Ticket } from '#domain/admission/ticket-token.ts';
import { readConfig } from '#infra/config/config.ts';
import { createTicketSigner } from './ticket-signer.ts';

const newKey = () => generateKeyPairSync('ed25519').privateKey;
const bytesOf = (token: string) => Buffer.from(BigInt(token).toString(16).padStart(174, '0'), 'hex');
const ticket: Ticket = {
  bookingId: 2 ** 33 + 7,
  page: 3,
  listingId: 4_000_000_000,
  quantity: 10,
  epoch: 513,
  expiresAt: 1_900_000_000,
};

describe('a ticket’s token', () => {
  it('gives the ticket back, in 87 bytes', () => {
    const signer = createTicketSigner(newKey());
    const token = signer.sign(ticket);
    expect(token).toMatch(/^[1-9]\d{207}$/);
    expect(bytesOf(token)).toHaveLength(87);
    expect(signer.verify(token)).toEqual(ticket);
  });

  it('is also valid in the base64url form of older codes', () => {
    const signer = createTicketSigner(newKey());
    expect(signer.verify(bytesOf(signer.sign(ticket)).toString('base64url'))).toEqual(ticket);
  });

  it('is refused if any single bit is changed', () => {
    const signer = createTicketSigner(newKey());
    const bytes = bytesOf(signer.sign(ticket));
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(signer.verify(changed.toString('base64url'))).toBeUndefined();
      expect(signer.verify(BigInt(`0x${changed.toString('hex')}`).toString())).toBeUndefined();
    }
  });

  it('is refused if it is another site’s, or malformed', () => {
    const signer = createTicketSigner(newKey());
    expect(signer.verify(createTicketSigner(newKey()).sign(ticket))).toBeUndefined();
    for (const text of ['', 'x', '💥', 'a'.repeat(10_000), '9'.repeat(208), '1'.repeat(10_000), '../..'])
      expect(signer.verify(text)).toBeUndefined();
  });

  it('is still valid if it was signed with a retired key, named as the site published it', () => {
    const old = newKey();
    const published = createTicketSigner(old).publicKeys.map(({ publicKey }) => publicKey);
    const { retiredTicketKeys } = readConfig({ TICKET_RETIRED_KEYS: published.join(', ') });
    const signer = createTicketSigner(newKey(), retiredTicketKeys);
    expect(signer.verify(createTicketSigner(old).sign(ticket))).toEqual(ticket);
    expect(signer.publicKeys).toHaveLength(2);
  });
});
