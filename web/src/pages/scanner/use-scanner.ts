import { useRef, useState } from 'react';
import { type ScanResult, ticketTokenOf } from '#domain/contracts/tickets.ts';
import { failureOf, fieldsOf } from '../../api/failure.ts';
import { newId } from '../../api/new-id.ts';
import { useScan } from '../../api/tickets.ts';
import { loggedOut } from '../../kit/logged-out.ts';
import { complain, hushToast } from '../../ui/toast.tsx';
import { sayFailure } from '../../words/failure.ts';
import { chime } from './chime.ts';
import { admittedOnline, offlineState, refused, scanOffline } from './offline-door.ts';

/** After an answer the same code counts anew only when it was out of a camera's or scanner's sight this long, in milliseconds. */
const SAME_CODE = 1_000;
const NO_ANSWER = 'No answer from the server, so nobody knows yet whether this ticket counts.';

/** Where the scanner stands. */
export interface Gate {
  /** The event that it is for; undefined for any. */
  readonly eventId: number | undefined;
  /** The entrance; empty if it has no name. */
  readonly name: string;
}

/** A scan as it is sent: of a code, or of a guest without one. Asked again under the same id it is the same scan, and never lets in twice. */
type Scan = { readonly scanId: string } & ({ readonly token: string } | { readonly bookingId: number });

/** A code, and when it was last in sight (`performance.now()`). */
interface Sighting {
  readonly token: string;
  at: number;
}

/**
 * Sends codes to the door's decision, one at a time, and keeps the answer until the next one is wanted. Codes that are typed while one is
 * asked for wait for their turn, which comes when the answer has been seen. A scan that got no answer is kept, to be sent again; without a
 * network the device decides, if it can.
 */
export const useScanner = ({ eventId, name }: Gate, accountId: string) => {
  const [result, setResult] = useState<ScanResult>();
  const [unanswered, setUnanswered] = useState<{ readonly scan: Scan; readonly why: string }>();
  const scan = useScan();
  const stage = useRef<'free' | 'asking' | 'answered'>('free');
  const last = useRef<Sighting>({ token: '', at: Number.NEGATIVE_INFINITY });
  const line = useRef<Sighting[]>([]);
  const [waiting, setWaiting] = useState(0);

  /** The server's answer, or without a network that of this device. @throws what the call throws, where the device has no answer either */
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
      // Only what is wrong with the code says something of the ticket; all else is the scanner's trouble.
      const unreadable = fieldsOf(error).encryptedData;
      if (unreadable !== undefined) return show({ ...refused, error: unreadable });
      stage.current = 'free';
      if (loggedOut(error)) return;
      const why = sayFailure(error, NO_ANSWER);
      setUnanswered({ scan: one, why });
      complain('Scan Failed', why);
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

  /** Takes a code. `began` says when the camera or the scanner began to read it: they read a ticket more than once. */
  const submit = (scanned: string, by: 'camera' | 'scanner' | 'hand', began = performance.now()): void => {
    const token = ticketTokenOf(scanned);
    if (!token) {
      complain('No QR Code', 'Please enter a QR code to scan');
      return;
    }
    const now = performance.now();
    const isAsking = stage.current === 'asking';
    const known = [last.current, ...line.current].find((one) => one.token === token);
    const isRepeat = known !== undefined && by !== 'hand' && began - known.at < SAME_CODE;
    if (known && by !== 'hand') known.at = now;
    if (isRepeat || (isAsking && known === last.current)) return;
    // What a camera sees, it sees again.
    if (by === 'camera' && stage.current !== 'free') return;
    // Its holder is at the door: it is not for those who wait to come before it, nor is it another scan.
    const isUnanswered = unanswered && 'token' in unanswered.scan && unanswered.scan.token === token;
    if (isUnanswered && stage.current === 'free') {
      again();
      return;
    }
    if (!known || known === last.current) line.current.push({ token, at: now });
    if (isAsking) setWaiting(line.current.length);
    else next();
  };

  /** Lets a guest in who was found without a code. */
  const admit = (bookingId: number): void => {
    if (stage.current !== 'free') return;
    const before = unanswered && 'bookingId' in unanswered.scan && unanswered.scan.bookingId === bookingId;
    send(before ? unanswered.scan : { bookingId, scanId: newId() });
  };

  return { result, unanswered, waiting, submit, admit, again, next, isScanning: scan.isPending };
};
