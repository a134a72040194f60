import { describe, it } from 'vitest';
import { given } from '#tests/kit/given-when-then.ts';
import type { SuperuserEvent } from './events.ts';
import { superusers } from './superusers.ts';

const joined = (accountId: string): SuperuserEvent => ({ type: 'SuperuserJoined', data: { accountId } });
const left = (accountId: string): SuperuserEvent => ({ type: 'SuperuserLeft', data: { accountId } });

describe('the list of superusers', () => {
  it('adds each superuser once', () => {
    given(superusers, [])
      .when({ type: 'Join', accountId: 'sue' })
      .then([joined('sue')]);
    given(superusers, [joined('sue')])
      .when({ type: 'Join', accountId: 'sue' })
      .thenNothing();
  });

  it('keeps the last superuser', () => {
    given(superusers, [joined('sue')])
      .when({ type: 'Leave', accountId: 'sue' })
      .thenRejected('LAST_SUPERUSER');
    given(superusers, [joined('sue'), joined('tom'), left('sue')])
      .when({ type: 'Leave', accountId: 'tom' })
      .thenRejected('LAST_SUPERUSER');
  });

  it('lets one of two superusers leave, once', () => {
    given(superusers, [joined('sue'), joined('tom')])
      .when({ type: 'Leave', accountId: 'sue' })
      .then([left('sue')]);
    given(superusers, [joined('sue'), joined('tom'), left('sue')])
      .when({ type: 'Leave', accountId: 'sue' })
      .thenNothing();
  });
});
