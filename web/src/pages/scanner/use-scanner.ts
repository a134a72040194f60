import { useRef, useState } from 'react';
import { type ScanResult, ticketTokenOf } from '#domain/contracts/tickets.ts';
import { ApiError, isUnauthorized, messageOf } from '../../api/client.ts';
import { useScan } from '../../api/tickets.ts';
import { complain } from '../../ui/toast.tsx';
import { chime } from './chime.ts';

const REDIRECT_AFTER = 500;
/** After an answer the same code counts anew only when it was out of sight this long, in milliseconds. */
const SAME_CODE = 1_000;

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

/** Sends codes to the door's decision, one at a time, and keeps the answer until the next one is wanted. */
export const useScanner = (eventId: number | undefined) => {
  const [result, setResult] = useState<ScanResult>();
  const scan = useScan();
  const busy = useRef(false);
  const last = useRef({ token: '', at: 0 });

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
    busy.current = true;
    last.current = { token, at: now };
    const show = (answer: ScanResult) => {
      chime(answer.valid);
      setResult(answer);
    };
    scan.mutate(
      { encryptedData: token, ...(eventId ? { eventId } : {}) },
      {
        onSuccess: show,
        onError: (error) => {
          if (isUnauthorized(error)) {
            complain('Unauthorized', 'You are logged out. Logging in again...');
            setTimeout(() => location.assign('/api/login'), REDIRECT_AFTER);
          } else if (error instanceof ApiError && error.status < 429) {
            show(refused(messageOf(error, 'Ticket validation failed')));
          } else {
            busy.current = false;
            complain(
              'Scan Failed',
              messageOf(error, 'No answer from the server. Nobody was let in; scan again.'),
            );
          }
        },
      },
    );
  };

  const next = (): void => {
    setResult(undefined);
    last.current.at = Date.now();
    busy.current = false;
  };

  return { result, submit, next, isScanning: scan.isPending };
};
