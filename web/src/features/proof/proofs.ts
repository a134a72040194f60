/** Proofs of the log, verified in the browser instead of trusting the server. */
import { useMutation } from '@tanstack/react-query';
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
import { ask, call, hasCode } from '#web/lib/api/client.ts';
import { keyOf } from '#web/lib/api/key-of.ts';
import { queryClient } from '#web/lib/api/query-client.ts';
import { saveFile } from '#web/lib/api/save-file.ts';
import { useAnswer } from '#web/lib/api/use-answer.ts';
import { forVisits, jsonOf } from '#web/lib/storage.ts';

export interface Checked {
  /**
   * - `proven`: the entry is in the signed log, which extends the one seen before; - `unproven`: entry, path
   * or signature does not match; - `rewritten`: the log doesn't extend the one seen before; - `unable`: this
   * browser can't verify signatures.
   */
  readonly verdict: 'proven' | 'unproven' | 'rewritten' | 'unable';
  readonly receipt: Receipt;
  readonly size: number;
  /** Public keys, base64url. */
  readonly keys: readonly string[];
}

const SEEN = 'log-seen';

/** Ignored if its key is not in `keys`: it belongs to another log. */
const seenBefore = (keys: readonly string[]): (Checkpoint & { readonly key: string }) | undefined => {
  const kept = jsonOf(forVisits.get(SEEN)) as { origin?: string; size?: number; root?: string; key?: string };
  const { origin = '', size = 0, root = '', key = '' } = kept ?? {};
  return keys.includes(key) ? { origin, size, root: fromBase64(root), key } : undefined;
};

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
            // A log that has shrunk has no consistency path.
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
  // Web Crypto exists only over https and on localhost.
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

/** `unproven` if the proven data differs from the data shown. */
const only = (checked: Checked, asShown: boolean): Checked =>
  checked.verdict === 'proven' && !asShown ? { ...checked, verdict: 'unproven' } : checked;

const isAbout = ({ entry }: Receipt, { id, reference, quantity, totalAmount }: Booking): boolean => {
  const data = jsonOf(entry.data) as { reference?: string; quote?: { quantity?: number; total?: number } };
  return (
    entry.stream === `booking-${id}` &&
    data?.reference === reference &&
    data.quote?.quantity === quantity &&
    data.quote.total === fromDecimal(totalAmount)
  );
};

/** Attempts, one second apart. */
const PATIENCE = 15;
const soon = {
  retry: (failures: number, error: Error) => hasCode(error, 'NOT_PROVEN_YET') && failures < PATIENCE,
  retryDelay: 1_000,
};

export const useBookingProof = (booking: Booking, enabled: boolean) =>
  useAnswer(
    proofCalls.booking,
    { params: { id: booking.id } },
    {
      read: async (answer) => only(await check(await answer), isAbout(await answer, booking)),
      ...soon,
      enabled,
    },
  );

export type AskedEntry =
  | { readonly entry: number }
  | { readonly booking: number }
  | { readonly reference: string }
  | { readonly id: string }
  | { readonly stream: string; readonly revision: number };

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

export const useEventProof = (shown: LogEntry, enabled: boolean) =>
  useAnswer(
    proofCalls.entry,
    { query: { id: shown.id } },
    {
      read: async (answer) => only(await check(await answer), isEvent(await answer, shown)),
      ...soon,
      enabled,
    },
  );

export const useEntryProof = () =>
  useMutation({
    mutationFn: async (query: AskedEntry) => check(await call(proofCalls.entry, { query })),
    ...soon,
  });

export const useVerification = () =>
  useAnswer(proofCalls.verification, undefined, {
    refetchInterval: ({ state }) => (state.data?.checks.some(({ doneAt }) => !doneAt) ? 1_000 : 15_000),
  });

export const useLogCheck = () =>
  useMutation({
    mutationFn: () => call(proofCalls.check),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keyOf(proofCalls.verification) }),
  });

export const takeLog = async (onProgress: (share: number) => void): Promise<void> => {
  await saveFile(await ask(proofCalls.export), onProgress);
};

const saveText = (text: string, type: string, name: string): Promise<string> =>
  saveFile(
    new Response(text, {
      headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` },
    }),
  );

export const saveReceipt = async ({ receipt, keys }: Checked, name: string): Promise<string> => {
  const { receiptPage } = await import('./receipt-page.ts');
  return saveText(receiptPage({ receipt, keys, site: location.origin }), 'text/html', `${name}.html`);
};

export const saveReceiptAsJson = ({ receipt }: Checked, name: string): Promise<string> =>
  saveText(`${JSON.stringify(receipt, null, 2)}\n`, 'application/json', `${name}.json`);
