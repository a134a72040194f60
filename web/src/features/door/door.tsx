import { type ReactNode, useEffect, useState } from 'react';
import { useSession } from '#web/lib/api/session.ts';
import { toast, toastError } from '#web/lib/toast.ts';
import { Box, Panel } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Select } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icons.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Split } from '#web/ui/page.tsx';
import { Text } from '#web/ui/text.tsx';
import { CAMERA_ELEMENT, useCamera } from './camera/use-camera.ts';
import { DoorCount } from './door-count.tsx';
import { GatePicker, useGate } from './gate-picker.tsx';
import { Guests } from './guests.tsx';
import { useHeldPlace } from './held-place.ts';
import { Manual } from './manual.tsx';
import { OfflineNotice } from './offline/offline-notice.tsx';
import { useOffline } from './offline/use-offline.ts';
import { Result, sayWaiting } from './result.tsx';
import { Scans } from './scans.tsx';
import { useHardwareScanner } from './use-hardware-scanner.ts';
import { useScanner } from './use-scanner.ts';

const OFFER_MANUAL_AFTER = 2_000;

const CLOSER = 'A little closer';

/** A code's centre must lie in this square (`read-code.ts`). Screen readers get the instructions from the status below. */
const Guide = ({ children }: { children: ReactNode }) => (
  <div className="camera-guide" aria-hidden="true">
    <svg viewBox="0 0 100 100">
      <title>Hold the code here</title>
      <path d="M14 30V18a4 4 0 0 1 4-4h12M70 14h12a4 4 0 0 1 4 4v12M86 70v12a4 4 0 0 1-4 4H70M30 86H18a4 4 0 0 1-4-4V70" />
    </svg>
    {children ? <span>{children}</span> : null}
  </div>
);

const statusOf = ({ state, tooFar }: ReturnType<typeof useCamera>): string => {
  if (state.name === 'starting') return 'Starting the camera...';
  if (state.name !== 'active') return '';
  return tooFar ? CLOSER : 'Ready to scan';
};

export const Door = () => {
  const [gate, setGate] = useGate();
  const { eventId } = gate;
  const accountId = useSession().user?.id ?? '';
  const offline = useOffline(accountId, eventId);
  const scanner = useScanner(gate, accountId);
  const camera = useCamera((text) => scanner.submit(text, 'camera'));
  useHardwareScanner((code, began) => scanner.submit(code, 'scanner', began));
  const [offerManual, setOfferManual] = useState(false);
  const failed = camera.state.name === 'failed';
  useEffect(() => {
    setOfferManual(false);
    if (!failed) return;
    const timer = setTimeout(() => setOfferManual(true), OFFER_MANUAL_AFTER);
    return () => clearTimeout(timer);
  }, [failed]);
  const place = useHeldPlace();
  const on = camera.state.name === 'active' || camera.state.name === 'starting';
  const test = async () => {
    if (await camera.test()) toast({ title: 'Camera works', description: 'You can start the scanner.' });
  };
  const light = () =>
    camera
      .light(camera.torch === 'off')
      .catch(() => toastError('Torch Failed', 'This camera doesn’t switch its torch.'));
  return (
    <Box gap="$24" ref={place}>
      <OfflineNotice {...offline} />
      {eventId ? <DoorCount eventId={eventId} /> : null}
      <Split
        asideWidth={460}
        main={
          <Panel gap="$20">
            <div className="camera">
              <div id={CAMERA_ELEMENT} />
              {on ? <Guide>{camera.tooFar ? CLOSER : null}</Guide> : null}
              {on ? null : (
                <div className="camera-idle">
                  <Box alignItems="center" gap="$12">
                    <Icon name="camera" size={44} />
                    <Text tone="dim">Hold the ticket’s code inside the frame.</Text>
                  </Box>
                </div>
              )}
            </div>
            {camera.state.name === 'failed' ? (
              <Notice tone="bad" alert title={camera.state.problem.title}>
                {camera.state.problem.advice}
              </Notice>
            ) : null}
            {scanner.unanswered ? (
              <Notice
                tone="warn"
                title="One scan has no answer yet"
                action={
                  <Button
                    size="small"
                    onClick={scanner.again}
                    busy={scanner.isScanning}
                    busyText="Scanning..."
                  >
                    Try again
                  </Button>
                }
              >
                {`${scanner.unanswered.why} Trying again never lets anybody in twice. ${sayWaiting(scanner.waiting)}`}
              </Notice>
            ) : null}
            {on && camera.cameras.length > 1 ? (
              <Select
                label="Camera"
                value={camera.chosen ?? ''}
                onChange={(event) => camera.choose(event.target.value)}
                options={camera.cameras.map(({ id, name }) => ({ value: id, label: name }))}
              />
            ) : null}
            <div className="camera-controls">
              {on ? (
                <Button kind="outline" size="large" onClick={camera.stop}>
                  Stop
                </Button>
              ) : (
                <Button kind="primary" size="large" onClick={camera.start}>
                  <Icon name="camera" /> Start Camera Scanner
                </Button>
              )}
              {camera.torch ? (
                <Button kind="outline" size="large" onClick={light}>
                  <Icon name="torch" />
                  <span>{camera.torch === 'on' ? 'Turn the torch off' : 'Turn the torch on'}</span>
                </Button>
              ) : null}
              {on ? null : (
                <Button kind="plain" onClick={test}>
                  Test Camera Permission
                </Button>
              )}
              <Text size="small" tone="dim" role="status">
                {statusOf(camera)}
              </Text>
            </div>
          </Panel>
        }
        aside={
          <Box gap="$24">
            <Panel gap="$24">
              <GatePicker gate={gate} onChange={setGate} />
              {offerManual ? (
                <Notice tone="warn" title="No camera? Enter the code by hand" alert>
                  Paste the link from the ticket, or the code alone.
                </Notice>
              ) : null}
              <Manual onScan={(code) => scanner.submit(code, 'hand')} busy={scanner.isScanning} />
            </Panel>
            <Guests eventId={eventId} busy={scanner.isScanning} onAdmit={scanner.admit} />
            <Text size="small" tone="dim">
              On a phone the camera needs HTTPS, and its permission can be reset from the address bar.
              Entering the code by hand is the reliable backup there.
            </Text>
          </Box>
        }
      />
      <Scans />
      {scanner.result ? (
        <Result result={scanner.result} waiting={scanner.waiting} onNext={scanner.next} />
      ) : null}
    </Box>
  );
};
