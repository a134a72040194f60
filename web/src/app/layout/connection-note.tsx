import { useSyncExternalStore } from 'react';
import { offlineSpell, onConnection } from '#web/lib/api/connection.ts';
import { useSession } from '#web/lib/api/session.ts';
import { TopNote } from '#web/ui/bar.tsx';
import { Icon } from '#web/ui/icons.tsx';
import { TextButton } from '#web/ui/link.tsx';

export const ConnectionNote = () => {
  const offline = useSyncExternalStore(onConnection, offlineSpell, () => undefined) !== undefined;
  const { isUnknown, askAgain } = useSession();
  return (
    <div role="status">
      {offline || isUnknown ? (
        <TopNote>
          <Icon name="alert" size={18} />
          <span>
            {offline
              ? 'You’re offline. What you see may be out of date, and nothing is sent until you’re back.'
              : 'The site isn’t answering, so we can’t tell yet whether you are signed in.'}
          </span>
          {offline ? null : <TextButton onClick={askAgain}>Try again</TextButton>}
        </TopNote>
      ) : null}
    </div>
  );
};
