/** Proofs of the log, checked in the browser: the server is asked for them, and not believed. */
import { useMutation, useQuery } from '@tanstack/react-query';
import type { LogEntry } from '#domain/contracts/audit.ts';
import type { Booking } from '#domain/contracts/bookings.ts';
import { proofCalls, type Receipt } from '#domain/contracts/log-proofs.ts';
import { fromDecimal } from '#domain/kernel/money.ts';
import { masked } from '#domain/kernel/personal.ts';
import {
  type Checkpoint,
  fromBase64,
  keyBytes,
  openReceipt,
  provesConsistency,
  toBase64,
} from '#domain/proof/proof.ts';
import { useLastingQuery } from '../api/answers.ts';
import { ask, call, hasCode } from '../api/client.ts';
import { keyOf } from '../api/key-of.ts';
import { queryClient } from '../api/queries.ts';
import { saveFile } from '../api/save-file.ts';
import { forVisits, jsonOf } from '../lib/storage.ts';

/** What the browser found out about a proof. */
export interface Checked {
  /**
   * - `proven`: the entry is in the log as it was signed, and the log has kept all that this browser saw signed before;
   * - `unproven`: the entry, the path or the signature does not fit;
   * - `rewritten`: the log was replaced: it does not begin with what this browser saw signed before;
   * - `unable`: this browser can't check signatures.
   */
  readonly verdict: 'proven' | 'unproven' | 'rewritten' | 'unable';
  readonly receipt: Receipt;
  /** How many entries were signed. */
  readonly size: number;
  /** The public keys, base64url. */
  readonly keys: readonly string[];
}

/** The storage's key of the newest checkpoint that this browser has checked. */
const SEEN = 'log-seen';

/** The checkpoint that was seen before, if one of these keys signed it; another key's was another log's. */
const seenBefore = (keys: readonly string[]): (Checkpoint & { readonly key: string }) | undefined => {
  const kept = jsonOf(forVisits.get(SEEN)) as { origin?: string; size?: number; root?: string; key?: string };
  const { origin = '', size = 0, root = '', key = '' } = kept ?? {};
  return keys.includes(key) ? { origin, size, root: fromBase64(root), key } : undefined;
};

/** Whether the log has kept what this browser saw signed before. The newer of both checkpoints is remembered. */
const continues = async (checkpoint: Checkpoint, keys: readonly string[]): Promise<boolean> => {
  const seen = seenBefore(keys);
  if (seen && seen.origin === checkpoint.origin) {
    const [first, second] = seen.size <= checkpoint.size ? [seen, checkpoint] : [checkpoint, seen];
    const query = { from: first.size, to: second.size };
    const path =
      first.size === second.size
        ? []
        : await call(proofCalls.consistency, { query }).then(
            (answer) => answer.path,
            // A log that is smaller than what it was has no path to show.
            (error: unknown) => {
              if (hasCode(error, 'NOT_FOUND')) return undefined;
              throw error;
            },
          );
    if (!path || !(await provesConsistency(first, second, path.map(fromBase64)))) return false;
    if (seen.size >= checkpoint.size) return true;
  }
  const { origin, size, root } = checkpoint;
  forVisits.set(SEEN, JSON.stringify({ origin, size, root: toBase64(root), key: keys[0] }));
  return true;
};

const check = async (receipt: Receipt): Promise<Checked> => {
  const keys = (await call(proofCalls.keys)).keys.map(({ publicKey }) => publicKey);
  const told = (verdict: Checked['verdict'], size = 0): Checked => ({ verdict, receipt, size, keys });
  // Only pages over https, or from this machine, may use it.
  if (!globalThis.crypto?.subtle) return told('unable');
  let checkpoint: Checkpoint | undefined;
  try {
    checkpoint = await openReceipt(receipt, keys.map(keyBytes));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotSupportedError') return told('unable');
    throw error;
  }
  if (!checkpoint) return told('unproven');
  return told((await continues(checkpoint, keys)) ? 'proven' : 'rewritten', checkpoint.size);
};

/** What was found out, unproven where what was proven isn't what is shown. */
const only = (checked: Checked, asShown: boolean): Checked =>
  checked.verdict === 'proven' && !asShown ? { ...checked, verdict: 'unproven' } : checked;

/** Whether the proven entry says what the booking's card does. */
const isAbout = ({ entry }: Receipt, { id, reference, quantity, totalAmount }: Booking): boolean => {
  const data = jsonOf(entry.data) as { reference?: string; quote?: { quantity?: number; total?: number } };
  return (
    entry.stream === `booking-${id}` &&
    data?.reference === reference &&
    data.quote?.quantity === quantity &&
    data.quote.total === fromDecimal(totalAmount)
  );
};

/** A signed checkpoint comes within seconds. */
const PATIENCE = 15;
const soon = {
  retry: (failures: number, error: Error) => hasCode(error, 'NOT_PROVEN_YET') && failures < PATIENCE,
  retryDelay: 1_000,
};

/** The proof of a booking, fetched and checked when it is unfolded. */
export const useBookingProof = (booking: Booking, enabled: boolean) =>
  useQuery({
    queryKey: ['bookings', booking.id, 'proof'],
    queryFn: async ({ signal }) => {
      const receipt = await call(proofCalls.booking, { params: { id: booking.id }, signal });
      return only(await check(receipt), isAbout(receipt, booking));
    },
    ...soon,
    refetchOnMount: 'always',
    enabled,
  });

/** Which entry an auditor wants proven. */
export type AskedEntry =
  | { readonly entry: number }
  | { readonly booking: number }
  | { readonly reference: string }
  | { readonly id: string }
  | { readonly stream: string; readonly revision: number };

/** Whether the proven entry is the event as it is shown. */
const isEvent = ({ entry }: Receipt, shown: LogEntry): boolean => {
  const data = Object.entries(jsonOf(entry.data) ?? {}).map(([field, value]) => [
    field,
    typeof value === 'object' && value !== null && '$sealed' in value ? masked : value,
  ]);
  return (
    (['id', 'stream', 'revision', 'type', 'recordedAt'] as const).every((key) => entry[key] === shown[key]) &&
    JSON.stringify(Object.fromEntries(data)) === JSON.stringify(shown.data)
  );
};

/** The proof of an event of the log, fetched and checked when it is unfolded. */
export const useEventProof = (shown: LogEntry, enabled: boolean) =>
  useQuery({
    queryKey: keyOf(proofCalls.entry, { query: { id: shown.id } }),
    queryFn: async ({ signal }) => {
      const receipt = await call(proofCalls.entry, { query: { id: shown.id }, signal });
      return only(await check(receipt), isEvent(receipt, shown));
    },
    ...soon,
    refetchOnMount: 'always',
    enabled,
  });

/** The proof of any entry. */
export const useEntryProof = () =>
  useMutation({
    mutationFn: async (query: AskedEntry) => check(await call(proofCalls.entry, { query })),
    ...soon,
  });

/** Whether the log is proven; asked for again while a comparison runs. */
export const useVerification = () =>
  useLastingQuery({
    queryKey: keyOf(proofCalls.verification),
    queryFn: ({ signal }) => call(proofCalls.verification, { signal }),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.checks.some(({ doneAt }) => !doneAt) ? 1_000 : 15_000),
  });

/** Has the log compared with its tree. */
export const useLogCheck = () =>
  useMutation({
    mutationFn: () => call(proofCalls.check),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keyOf(proofCalls.verification) }),
  });

/** Saves the whole log with its proof. */
export const takeLog = async (onProgress: (share: number) => void): Promise<void> => {
  await saveFile(await ask(proofCalls.export), onProgress);
};

const saveText = (text: string, type: string, name: string): Promise<string> =>
  saveFile(
    new Response(text, {
      headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` },
    }),
  );

/** Saves a receipt as a page that checks itself without the site. @param name the file's, without its ending */
export const saveReceipt = async ({ receipt, keys }: Checked, name: string): Promise<string> => {
  const { receiptPage } = await import('./receipt-page.ts');
  return saveText(receiptPage({ receipt, keys, site: location.origin }), 'text/html', `${name}.html`);
};

/** Saves a receipt for programs. @param name the file's, without its ending */
export const saveReceiptAsJson = ({ receipt }: Checked, name: string): Promise<string> =>
  saveText(`${JSON.stringify(receipt, null, 2)}\n`, 'application/json', `${name}.json`);
