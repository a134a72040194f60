import { describe, expect, it } from 'vitest';
import { fold } from '#tests/kit/fold.ts';
import { given } from '#tests/kit/given-when-then.ts';
import { type AdmissionCommand, admission } from './admission.ts';
import type { AdmissionEvent } from './events.ts';
import { admittedCount, verdict } from './state.ts';

const at = '2026-12-10T19:00:00.000Z';
const later = '2026-12-10T19:05:00.000Z';
const ref = { bookingId: 10, listingId: 1 };
const sam = { id: 'sam' };
const kim = { id: 'kim' };

const admit = (page: number, quantity: number, by = kim, when = later): AdmissionCommand => ({
  type: 'Admit',
  ...ref,
  userId: 'ann',
  page,
  quantity,
  gate: 'B',
  by,
  at: when,
});
const admitted = (page: number, quantity: number, by = kim, when = later): AdmissionEvent => ({
  type: 'Admitted',
  data: { ...ref, userId: 'ann', page, quantity, gate: 'B', by, at: when },
});
const refused = (page: number): AdmissionEvent => ({
  type: 'ReEntryRefused',
  data: { ...ref, page, gate: 'B', by: kim, at: later },
});
/** A scan whose gate gave it no id. */
const unmarked = { page: 1, by: kim, scanId: null };
const voided = (why: 'cancelled' | 'refunded' = 'cancelled'): AdmissionEvent => ({
  type: 'AdmissionVoided',
  data: { ...ref, why },
});
const restored: AdmissionEvent = { type: 'AdmissionRestored', data: ref };

describe('a ticket’s first page', () => {
  it('admits the whole party', () => {
    given(admission, [])
      .when(admit(1, 3))
      .then([admitted(1, 3)]);
  });

  it('admits the members of the party who are not in yet', () => {
    given(admission, [admitted(2, 1), admitted(3, 1)])
      .when(admit(1, 3))
      .then([admitted(1, 1)]);
  });

  it('admits nobody once the whole party came in one by one', () => {
    given(admission, [admitted(2, 1), admitted(3, 1), admitted(1, 1)])
      .when(admit(1, 3))
      .then([refused(1)]);
  });
});

describe('a ticket’s further page', () => {
  it('admits one person', () => {
    given(admission, [])
      .when(admit(2, 3))
      .then([admitted(2, 1)]);
    given(admission, [admitted(2, 1)])
      .when(admit(3, 3))
      .then([admitted(3, 1)]);
  });

  it('admits nobody a second time, even if other members are still outside', () => {
    given(admission, [admitted(2, 1)])
      .when(admit(2, 3))
      .then([refused(2)]);
    given(admission, [admitted(1, 2), admitted(2, 1)])
      .when(admit(1, 4))
      .then([refused(1)]);
  });

  it('admits nobody once the party is in', () => {
    given(admission, [admitted(1, 3)])
      .when(admit(2, 3))
      .then([refused(2)]);
  });

  it('is refused if the booking has no such page', () => {
    for (const page of [0, 4, 1.5, -1]) {
      given(admission, []).when(admit(page, 3)).then({ rejected: 'TICKET_FORGED' });
    }
  });
});

describe('a second scan', () => {
  it('is recorded and answered with the time and the scanner of the first one', () => {
    const history = [admitted(1, 2, sam, at)];
    const second = given(admission, history).when(admit(1, 2));
    second.then([refused(1)]);
    expect(verdict(second.state, [refused(1)], unmarked)).toEqual({
      valid: false,
      first: { page: 1, quantity: 2, gate: 'B', by: sam, at, scanId: null },
    });
  });

  it('of a further page is answered with the party’s scan if that admitted the person', () => {
    const second = given(admission, [admitted(1, 2, sam, at)]).when(admit(2, 2));
    expect(verdict(second.state, [refused(2)], unmarked)).toMatchObject({
      valid: false,
      first: { page: 1, by: sam },
    });
  });

  it('is answered with the first scan of its own page, if there is one', () => {
    const second = given(admission, [admitted(2, 1, sam, at), admitted(1, 2, kim, later)]).when(admit(2, 3));
    expect(verdict(second.state, [refused(2)], unmarked)).toMatchObject({ first: { page: 2, by: sam, at } });
  });

  it('at two gates at once admits one person: each verdict uses its own events', () => {
    const first = given(admission, []).when(admit(1, 2, sam, at));
    const both = fold(admission, [admitted(1, 2, sam, at), refused(1)]);
    expect(verdict(both, [admitted(1, 2, sam, at)], unmarked)).toEqual({ valid: true, quantity: 2 });
    expect(verdict(both, [refused(1)], unmarked)).toMatchObject({ valid: false, first: { by: sam } });
    first.then([admitted(1, 2, sam, at)]);
  });
});

describe('a repeated scan', () => {
  const scanId = '0d9bd0d4-8f5c-4a5e-9d61-1f9a4d6d3f3a';
  const marked = (page: number, by = kim): AdmissionCommand & { type: 'Admit' } => ({
    ...(admit(page, 3, by) as AdmissionCommand & { type: 'Admit' }),
    scanId,
  });
  const answered: AdmissionEvent = {
    type: 'Admitted',
    data: { ...ref, userId: 'ann', page: 2, quantity: 1, gate: 'B', by: kim, at: later, scanId },
  };

  it('admits nobody twice and is answered as the first time', () => {
    given(admission, []).when(marked(2)).then([answered]);
    const again = given(admission, [answered]).when(marked(2));
    again.thenNothing();
    expect(verdict(again.state, [], { page: 2, by: kim, scanId })).toEqual({ valid: true, quantity: 1 });
  });

  it('counts as a new scan if the code, the scanner or the id differs', () => {
    given(admission, [answered])
      .when(marked(2, sam))
      .then([{ type: 'ReEntryRefused', data: { ...ref, page: 2, gate: 'B', by: sam, at: later } }]);
    given(admission, [answered])
      .when({ ...marked(2), scanId: '8a0f3d62-5a0e-4bd7-9a1b-0d4b4e9f7c11' })
      .then([refused(2)]);
    given(admission, [answered])
      .when(marked(1))
      .then([{ ...answered, data: { ...answered.data, page: 1, quantity: 2 } }]);
    given(admission, [admitted(2, 1)])
      .when(admit(2, 3))
      .then([refused(2)]);
  });
});

describe('a refused entry', () => {
  it('is recorded each time with its reason and does not affect later scans', () => {
    const data = { ...ref, page: 1, why: 'TICKET_WRONG_EVENT', gate: 'B', by: kim, at: later } as const;
    const away: AdmissionEvent = { type: 'EntryRefused', data };
    given(admission, [away])
      .when({ type: 'TurnAway', ...data })
      .then([away]);
    given(admission, [away])
      .when(admit(1, 2))
      .then([admitted(1, 2)]);
  });
});

describe('undoing a scan', () => {
  const undo = (page: number, more: object = {}): AdmissionCommand => ({
    ...{ type: 'Undo', ...ref, userId: 'ann', page, scannedAt: later, reason: 'Wrong queue' },
    ...{ by: kim, anybodys: false, at: '2026-12-10T19:07:00.000Z' },
    ...more,
  });
  const undone = (page: number, quantity: number): AdmissionEvent => ({
    type: 'AdmissionUndone',
    data: {
      ...{ ...ref, userId: 'ann', page, quantity, scannedAt: later, reason: 'Wrong queue', by: kim },
      at: '2026-12-10T19:07:00.000Z',
    },
  });

  it('lets the code admit again', () => {
    given(admission, [admitted(1, 3)])
      .when(undo(1))
      .then([undone(1, 3)]);
    given(admission, [admitted(1, 3), undone(1, 3)])
      .when(admit(1, 3))
      .then([admitted(1, 3)]);
    given(admission, [admitted(2, 1), admitted(1, 2), undone(2, 1)])
      .when(admit(2, 3))
      .then([admitted(2, 1)]);
    expect(admittedCount(fold(admission, [admitted(1, 3), undone(1, 3)]))).toBe(0);
  });

  it('happens once and does not affect a later scan of the same code', () => {
    given(admission, [admitted(1, 3), undone(1, 3)])
      .when(undo(1))
      .then({ rejected: 'SCAN_UNDONE' });
    given(admission, [admitted(1, 3), undone(1, 3), admitted(1, 3, kim, at)])
      .when(undo(1))
      .then({ rejected: 'SCAN_UNDONE' });
  });

  it('is allowed to the scanner and to staff who can undo anybody’s scans', () => {
    given(admission, [admitted(1, 3, sam)])
      .when(undo(1))
      .then({ rejected: 'NOT_YOUR_SCAN' });
    given(admission, [admitted(1, 3, sam)])
      .when(undo(1, { anybodys: true }))
      .then([undone(1, 3)]);
  });

  it('refuses a late repeat of the undone scan', () => {
    const scanId = '0d9bd0d4-8f5c-4a5e-9d61-1f9a4d6d3f3a';
    const marked = { ...admitted(1, 3), data: { ...admitted(1, 3).data, scanId } } as AdmissionEvent;
    given(admission, [marked, undone(1, 3)])
      .when({ ...admit(1, 3), scanId } as AdmissionCommand)
      .then({ rejected: 'SCAN_UNDONE' });
  });
});

describe('an offline scan', () => {
  const scanId = '0d9bd0d4-8f5c-4a5e-9d61-1f9a4d6d3f3a';
  const scan = { ...ref, page: 1, gate: 'C', by: sam, at, scanId };
  const record = (more: object = {}): AdmissionCommand => ({
    ...{ type: 'RecordOffline', ...scan, userId: 'ann', quantity: 3, admitted: 3, why: null },
    ...more,
  });
  const offline = (quantity = 3): AdmissionEvent => ({
    type: 'Admitted',
    data: { ...scan, userId: 'ann', quantity, how: 'offline' },
  });
  const conflict = (quantity: number, more: object): AdmissionEvent => ({
    type: 'AdmittedInConflict',
    data: { ...scan, quantity, why: 'TICKET_USED', first: null, ...more },
  });
  const first = { gate: 'B', by: kim, at: later };

  it('admits like an online scan, and once however often it is sent', () => {
    given(admission, []).when(record()).then([offline()]);
    given(admission, [offline()]).when(record()).thenNothing();
    given(admission, [offline()])
      .when(admit(1, 3))
      .then([refused(1)]);
  });

  it('is a conflict if the code was already used, also when it is sent again', () => {
    given(admission, [admitted(1, 3)])
      .when(record())
      .then([conflict(3, { first })]);
    given(admission, [admitted(1, 3), conflict(3, { first })])
      .when(record())
      .thenNothing();
  });

  it('is a conflict for the members of the party who were already in', () => {
    given(admission, [admitted(2, 1)])
      .when(record())
      .then([offline(2), conflict(1, { first: { ...first } })]);
  });

  it('is a conflict if the booking was cancelled meanwhile', () => {
    given(admission, [voided()])
      .when(record())
      .then([conflict(3, { why: 'TICKET_CANCELLED' })]);
    given(admission, [])
      .when(record({ why: 'TICKET_REISSUED' }))
      .then([conflict(3, { why: 'TICKET_REISSUED' })]);
  });

  it('is recorded once if the gate refused it', () => {
    const used: AdmissionEvent = { type: 'ReEntryRefused', data: scan };
    const away: AdmissionEvent = { type: 'EntryRefused', data: { ...scan, why: 'TICKET_WRONG_EVENT' } };
    given(admission, [])
      .when(record({ admitted: 0, why: 'TICKET_USED' }))
      .then([used]);
    given(admission, [])
      .when(record({ admitted: 0, why: 'TICKET_WRONG_EVENT' }))
      .then([away]);
    for (const before of [used, away])
      given(admission, [before])
        .when(record({ admitted: 0, why: 'TICKET_USED' }))
        .thenNothing();
  });

  it('is refused if the booking has no such page', () => {
    given(admission, [])
      .when(record({ page: 4 }))
      .then({ rejected: 'TICKET_FORGED' });
  });
});

describe('voiding an admission', () => {
  const voidAll = (why: 'cancelled' | 'refunded' = 'cancelled', cancellation = 1): AdmissionCommand => ({
    type: 'Void',
    ...ref,
    why,
    cancellation,
  });

  it('makes later scans be refused with the reason', () => {
    given(admission, []).when(voidAll()).then([voided()]);
    given(admission, [voided()]).when(admit(1, 2)).then({ rejected: 'TICKET_CANCELLED' });
    given(admission, [voided(), voided('refunded')])
      .when(admit(1, 2))
      .then({ rejected: 'TICKET_REFUNDED' });
  });

  it('is refused once a person was admitted', () => {
    given(admission, [admitted(2, 1)])
      .when(voidAll())
      .then({ rejected: 'ALREADY_SCANNED' });
  });

  it('happens once, and a refund can follow a cancellation', () => {
    given(admission, [voided()]).when(voidAll()).thenNothing();
    given(admission, [voided()])
      .when(voidAll('refunded'))
      .then([voided('refunded')]);
    given(admission, [voided('refunded')])
      .when(voidAll())
      .thenNothing();
  });

  it('is undone by a reinstatement, and a late repeat of it has no effect', () => {
    const restore: AdmissionCommand = { type: 'Restore', ...ref, cancellation: 1 };
    given(admission, [voided()]).when(restore).then([restored]);
    given(admission, [voided(), restored]).when(restore).thenNothing();
    given(admission, [voided(), restored]).when(voidAll()).thenNothing();
    given(admission, [voided(), restored]).when(voidAll('cancelled', 2)).then([voided()]);
    given(admission, [voided(), restored])
      .when(admit(1, 2))
      .then([admitted(1, 2)]);
  });
});

describe('a disputed payment', () => {
  const follow = (moneyGone: boolean, asOf: number): AdmissionCommand => ({
    ...{ type: 'FollowDisputes', ...ref },
    ...{ moneyGone, asOf },
  });
  const suspended = (asOf: number): AdmissionEvent => ({
    type: 'AdmissionSuspended',
    data: { ...ref, asOf },
  });
  const resumed = (asOf: number): AdmissionEvent => ({ type: 'AdmissionResumed', data: { ...ref, asOf } });

  it('refuses entry to those who are not in yet, until the dispute is won', () => {
    given(admission, [admitted(2, 1)])
      .when(follow(true, 0))
      .then([suspended(0)]);
    const held = [admitted(2, 1), suspended(0)];
    given(admission, held).when(admit(1, 3)).then({ rejected: 'TICKET_DISPUTED' });
    given(admission, [...held, resumed(1)])
      .when(admit(1, 3))
      .then([admitted(1, 2)]);
  });

  it('is applied once, in the order of the dispute’s own stream', () => {
    given(admission, [suspended(0)])
      .when(follow(true, 0))
      .thenNothing();
    given(admission, [resumed(1)])
      .when(follow(true, 0))
      .thenNothing();
    given(admission, [suspended(0)])
      .when(follow(false, 1))
      .then([resumed(1)]);
  });

  it('does not override a cancellation, and neither ends the other', () => {
    given(admission, [voided(), suspended(0)])
      .when(admit(1, 3))
      .then({ rejected: 'TICKET_CANCELLED' });
    given(admission, [voided(), suspended(0), restored])
      .when(admit(1, 3))
      .then({ rejected: 'TICKET_DISPUTED' });
    given(admission, [voided(), suspended(0), resumed(1)])
      .when(admit(1, 3))
      .then({ rejected: 'TICKET_CANCELLED' });
  });
});
