import { useRef, useState } from 'react';
import { type ScanResult, ticketTokenOf } from '#domain/contracts/tickets.ts';
import { loggedOut } from '#web/lib/api/logged-out.ts';
import { failureOf, fieldsOf } from '#web/lib/failure.ts';
import { sayFailure } from '#web/lib/formatters/failure.ts';
import { newId } from '#web/lib/new-id.ts';
import { hushToast, toastError } from '#web/lib/toast.ts';
import { chime } from './chime.ts';
import { admittedOnline, offlineState, refused, scanOffline } from './offline/offline-door.ts';
import { useScan } from './tickets.ts';

/** Milliseconds out of sight after which the same code counts again. */
const SAME_CODE = 1_000;
const NO_ANSWER = 'No answer from the server, so nobody knows yet whether this ticket counts.';

export interface Gate {
  /** Undefined for any event. */
  readonly eventId: number | undefined;
  /** Empty if the entrance has no name. */
  readonly name: string;
}

/** A retry with the same `scanId` is the same scan and never admits twice. */
type Scan = { readonly scanId: string } & ({ readonly token: string } | { readonly bookingId: number });

interface Sighting {
  readonly token: string;
  at: number;
}

/**
 * Sends codes one at a time and keeps each answer until the next is requested; typed codes are queued. An
 * unanswered scan is kept for a retry; offline the device decides, if it can.
 */
export const useScanner = ({ eventId, name }: Gate, accountId: string) => {
  const [result, setResult] = useState<ScanResult>();
  const [unanswered, setUnanswered] = useState<{ readonly scan: Scan; readonly why: string }>();
  const scan = useScan();
  const stage = useRef<'free' | 'asking' | 'answered'>('free');
  const last = useRef<Sighting>({ token: '', at: Number.NEGATIVE_INFINITY });
  const line = useRef<Sighting[]>([]);
  const [waiting, setWaiting] = useState(0);

  /**
   * Asks the server; offline, this device.
   * @throws the call's error if the device can't decide either
   */
  const decide = async (one: Scan): Promise<ScanResult> => {
    const gate = name.trim() || null;
    const here = async () =>
      'token' in one ? scanOffline({ ...one, gate }, { accountId, eventId }) : undefined;
    const known = offlineState().isOffline ? await here() : undefined;
    if (known) return known;
    const { scanId, ...what } = one;
    const where = { scanId, ...(eventId ? { eventId } : {}), ...(gate ? { gate } : {}) };
    try {
      const answer = await scan.mutateAsync(
        'token' in what ? { encryptedData: what.token, ...where } : { ...what, ...where },
      );
      if (answer.valid) admittedOnline({ ...one, gate }, answer);
      return answer;
    } catch (error) {
      const answer = failureOf(error) === 'refused' ? undefined : await here();
      if (!answer) throw error;
      return answer;
    }
  };

  const send = (one: Scan): void => {
    stage.current = 'asking';
    last.current = { token: 'token' in one ? one.token : '', at: performance.now() };
    const show = (answer: ScanResult) => {
      stage.current = 'answered';
      last.current.at = performance.now();
      hushToast();
      setUnanswered(undefined);
      chime(answer.valid);
      setResult(answer);
    };
    decide(one).then(show, (error) => {
      // Other errors are the scanner's, not the ticket's.
      const unreadable = fieldsOf(error).encryptedData;
      if (unreadable !== undefined) return show({ ...refused, error: unreadable });
      stage.current = 'free';
      if (loggedOut(error)) return;
      const why = sayFailure(error, NO_ANSWER);
      setUnanswered({ scan: one, why });
      toastError('Scan Failed', why);
    });
  };

  const next = (): void => {
    setResult(undefined);
    stage.current = 'free';
    last.current.at = performance.now();
    const token = line.current.shift()?.token;
    setWaiting(line.current.length);
    if (token !== undefined) send({ token, scanId: newId() });
  };

  const again = (): void => {
    if (unanswered && stage.current === 'free') send(unanswered.scan);
  };

  /** `began`: when the code was first read, because cameras and scanners read a ticket repeatedly. */
  const submit = (scanned: string, by: 'camera' | 'scanner' | 'hand', began = performance.now()): void => {
    const token = ticketTokenOf(scanned);
    if (!token) {
      toastError('No QR Code', 'Please enter a QR code to scan');
      return;
    }
    const now = performance.now();
    const isAsking = stage.current === 'asking';
    const known = [last.current, ...line.current].find((one) => one.token === token);
    const isRepeat = known !== undefined && by !== 'hand' && began - known.at < SAME_CODE;
    if (known && by !== 'hand') known.at = now;
    if (isRepeat || (isAsking && known === last.current)) return;
    // The camera will see the code again.
    if (by === 'camera' && stage.current !== 'free') return;
    // The unanswered scan's holder is at the gate: retry it before the queue, and not as a new scan.
    const isUnanswered = unanswered && 'token' in unanswered.scan && unanswered.scan.token === token;
    if (isUnanswered && stage.current === 'free') {
      again();
      return;
    }
    if (!known || known === last.current) line.current.push({ token, at: now });
    if (isAsking) setWaiting(line.current.length);
    else next();
  };

  const admit = (bookingId: number): void => {
    if (stage.current !== 'free') return;
    const before = unanswered && 'bookingId' in unanswered.scan && unanswered.scan.bookingId === bookingId;
    send(before ? unanswered.scan : { bookingId, scanId: newId() });
  };

  return { result, unanswered, waiting, submit, admit, again, next, isScanning: scan.isPending };
};
