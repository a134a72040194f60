import { useRef, useState } from 'react';
import { type ScanResult, ticketTokenOf } from '#domain/contracts/tickets.ts';
import { messageOf } from '../../api/client.ts';
import { ApiError } from '../../api/failure.ts';
import { newId } from '../../api/new-id.ts';
import { useScan } from '../../api/tickets.ts';
import { loggedOut } from '../../frame/logged-out.ts';
import { complain, hushToast } from '../../ui/toast.tsx';
import { sayFailure } from '../../words/failure.ts';
import { chime } from './chime.ts';

/** After an answer the same code counts anew only when it was out of sight this long, in milliseconds. */
const SAME_CODE = 1_000;
const NO_ANSWER = 'No answer from the server, so nobody knows yet whether this ticket counts.';

const refused = (error: string): ScanResult => ({
  valid: false,
  scanned: false,
  error,
  code: null,
  event: null,
  quantity: 1,
  user: null,
  booking: null,
  validationDetails: [],
  scannedAt: null,
  scannedBy: null,
});

/** A scan as it is sent. Asked again under the same id it is the same scan, and never lets in twice. */
interface Scan {
  readonly token: string;
  readonly scanId: string | undefined;
}

/**
 * Sends codes to the door's decision, one at a time, and keeps the answer until the next one is wanted. A scan that got no answer
 * is kept, to be sent again.
 */
export const useScanner = (eventId: number | undefined) => {
  const [result, setResult] = useState<ScanResult>();
  const [unanswered, setUnanswered] = useState<Scan & { readonly why: string }>();
  const scan = useScan();
  const busy = useRef(false);
  const last = useRef({ token: '', at: 0 });

  const send = (one: Scan): void => {
    busy.current = true;
    const show = (answer: ScanResult) => {
      hushToast();
      setUnanswered(undefined);
      chime(answer.valid);
      setResult(answer);
    };
    scan.mutate(
      { encryptedData: one.token, scanId: one.scanId, ...(eventId ? { eventId } : {}) },
      {
        onSuccess: show,
        onError: (error) => {
          // Only a code that could not be read says something of the ticket; all else is the scanner's trouble.
          if (error instanceof ApiError && error.status === 400)
            return show(refused(messageOf(error, 'Ticket validation failed')));
          busy.current = false;
          if (loggedOut(error)) return;
          const why = sayFailure(error, NO_ANSWER);
          setUnanswered({ ...one, why });
          complain('Scan Failed', why);
        },
      },
    );
  };

  const submit = (scanned: string, fromCamera: boolean): void => {
    const token = ticketTokenOf(scanned);
    if (!token) {
      complain('No QR Code', 'Please enter a QR code to scan');
      return;
    }
    const now = Date.now();
    const repeat = fromCamera && token === last.current.token && now - last.current.at < SAME_CODE;
    if (fromCamera && token === last.current.token) last.current.at = now;
    if (busy.current || repeat) return;
    last.current = { token, at: now };
    send(token === unanswered?.token ? unanswered : { token, scanId: newId() });
  };

  const again = (): void => {
    if (unanswered && !busy.current) send(unanswered);
  };

  const next = (): void => {
    setResult(undefined);
    last.current.at = Date.now();
    busy.current = false;
  };

  return { result, unanswered, submit, again, next, isScanning: scan.isPending };
};
