import { useSyncExternalStore } from 'react';
import { offlineSpell, onConnection } from '../api/connection.ts';
import { TopNote } from '../ui/bar.tsx';
import { Icon } from '../ui/icons.tsx';

/** Says that there is no connection, until there is one again. */
export const OfflineBanner = () => {
  const offline = useSyncExternalStore(onConnection, offlineSpell) !== undefined;
  return (
    <div role="status">
      {offline ? (
        <TopNote>
          <Icon name="alert" size={18} />
          <span>You’re offline. What you see may be out of date, and nothing is sent until you’re back.</span>
        </TopNote>
      ) : null}
    </div>
  );
};
