import { describe, expect, it } from 'vitest';
import { given } from '#tests/kit/given-when-then.ts';
import { addressKey, emailClaim } from './email-claim.ts';
import type { EmailClaimEvent } from './events.ts';

const at = '2026-11-21T12:00:00.000Z';
const claimed: EmailClaimEvent = { type: 'EmailClaimed', data: { accountId: 'ann', at } };
const confirmed: EmailClaimEvent = { type: 'ClaimConfirmed', data: { accountId: 'ann' } };
const released: EmailClaimEvent = { type: 'EmailReleased', data: { accountId: 'ann' } };
const claim = (accountId: string, when: string) => ({ type: 'Claim', accountId, at: when }) as const;

describe('claiming an address', () => {
  it('takes a free address once', () => {
    given(emailClaim, []).when(claim('ann', at)).then([claimed]);
    given(emailClaim, [claimed]).when(claim('ann', at)).thenNothing();
  });

  it('keeps others out for ten minutes while it is not confirmed', () => {
    given(emailClaim, [claimed]).when(claim('bob', '2026-11-21T12:09:59.999Z')).thenRejected('EMAIL_TAKEN');
    given(emailClaim, [claimed])
      .when(claim('bob', '2026-11-21T12:10:00.000Z'))
      .then([{ type: 'EmailClaimed', data: { accountId: 'bob', at: '2026-11-21T12:10:00.000Z' } }]);
  });

  it('keeps others out for good once it is confirmed', () => {
    given(emailClaim, [claimed, confirmed])
      .when(claim('bob', '2036-11-21T12:00:00.000Z'))
      .thenRejected('EMAIL_TAKEN');
  });

  it('gives a released address to the next account', () => {
    given(emailClaim, [claimed, confirmed, released])
      .when(claim('bob', at))
      .then([{ type: 'EmailClaimed', data: { accountId: 'bob', at } }]);
  });
});

describe('confirming and releasing', () => {
  it('confirms an account’s own claim once', () => {
    given(emailClaim, [claimed]).when({ type: 'Confirm', accountId: 'ann' }).then([confirmed]);
    given(emailClaim, [claimed, confirmed]).when({ type: 'Confirm', accountId: 'ann' }).thenNothing();
  });

  it('refuses to confirm a claim that another account has taken over', () => {
    given(emailClaim, [claimed]).when({ type: 'Confirm', accountId: 'bob' }).thenRejected('EMAIL_TAKEN');
    given(emailClaim, []).when({ type: 'Confirm', accountId: 'ann' }).thenRejected('EMAIL_TAKEN');
  });

  it('releases only an account’s own claim', () => {
    given(emailClaim, [claimed, confirmed]).when({ type: 'Release', accountId: 'ann' }).then([released]);
    given(emailClaim, [claimed, confirmed]).when({ type: 'Release', accountId: 'bob' }).thenNothing();
    given(emailClaim, []).when({ type: 'Release', accountId: 'ann' }).thenNothing();
  });
});

describe('comparing addresses', () => {
  it('ignores case, outer spaces and composition', () => {
    expect(addressKey('  Zoë@Example.ORG ')).toBe(addressKey('zoe\u0308@example.org'));
    expect(addressKey('a.b@example.org')).not.toBe(addressKey('ab@example.org'));
  });
});
