import { serverNow } from '#web/lib/clock.ts';
import { moment } from '#web/lib/formatters/when.ts';
import { Box } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { HeldLine } from '#web/ui/held-line.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Text } from '#web/ui/text.tsx';
import type { OfflineState } from './offline-door.ts';

const scans = (count: number): string => (count === 1 ? '1 scan' : `${count} scans`);

const ready = (listedAt: string): string =>
  `Ready for a network failure: tickets as of ${moment(listedAt)} are on this device.`;

/** Reserves the height of the longest text, so that controls below do not move. */
const Standing = ({ children }: { children: string }) => (
  <HeldLine room={ready(new Date(serverNow()).toISOString())}>{children}</HeldLine>
);

const Waiting = ({ isOffline, isAble, listedAt, waiting }: OfflineState) => {
  if (isOffline)
    return listedAt ? (
      <Box gap="$8">
        <Notice tone="warn" alert title="This gate is offline">
          {`Tickets are checked against the list of ${moment(listedAt)}.`}
        </Notice>
        {/* Not in the alert: it would be read aloud after each scan, over the answer. */}
        <Text size="small" tone="dim" figures>
          {`${scans(waiting)} to be sent when the network is back.`}
        </Text>
      </Box>
    ) : (
      <Notice tone="bad" alert title="This gate is offline and has no list of tickets">
        It needs a network once before it can check tickets without one.
      </Notice>
    );
  if (waiting > 0) return <Notice title={`${scans(waiting)} to be sent`} />;
  if (!isAble) return null;
  return <Standing>{listedAt ? ready(listedAt) : 'Fetching the tickets for a network failure...'}</Standing>;
};

const isSafeToReload = ({ isOutdated, isLasting, isOffline, waiting }: OfflineState): boolean =>
  isOutdated && (isLasting || (!isOffline && waiting === 0));

export const OfflineNotice = (state: OfflineState) => (
  <>
    <Waiting {...state} />
    {state.isAble ? null : (
      <Standing>This browser can’t check tickets without a network. A newer one can, over https.</Standing>
    )}
    {state.conflicts > 0 ? (
      <Notice tone="bad" alert title={`Let in twice while this gate was offline: ${state.conflicts}`}>
        “Conflicts” below names each with its first scan.
      </Notice>
    ) : null}
    {isSafeToReload(state) ? (
      <Notice
        tone="warn"
        title="A newer scanner is out"
        action={
          <Button size="small" onClick={() => location.reload()}>
            Load it now
          </Button>
        }
      >
        This page is older than the site. Nothing is lost by loading it anew.
      </Notice>
    ) : null}
    {state.isLasting ? null : (
      <Notice tone="warn" title="This browser keeps nothing">
        The list of tickets and the scans that wait are lost when this tab is closed.
      </Notice>
    )}
  </>
);
