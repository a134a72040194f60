import { expect, it } from 'vitest';
import { sealValue } from '#infra/event-log/codec.ts';
import type { KeyStore } from '#infra/keys/key-store.ts';
import { createMemoryKeyStore } from '#tests/kit/memory-keys.ts';
import { cancelReasonPlace, openTexts } from './sealed-text.ts';

const sealedFor = async (keys: KeyStore, subject: string, bookingId: number, words: string) => {
  const place = cancelReasonPlace(bookingId);
  return { text: JSON.stringify(sealValue(await keys.sealing(subject), place, words)), place };
};

it('sealed texts are opened with cached keys, even if a key leaves the cache before the others arrive', async () => {
  const keys = createMemoryKeyStore();
  const fields = [
    await sealedFor(keys, 'ann', 1, 'Rain'),
    { text: null, place: cancelReasonPlace(2) },
    await sealedFor(keys, 'ben', 3, 'Snow'),
    await sealedFor(keys, 'ann', 4, 'Fog'),
    await sealedFor(keys, 'cleo', 5, 'Hail'),
  ];
  await keys.destroy('cleo');
  const atHand = new Set(['ann']);
  const forgetful: KeyStore = {
    ...keys,
    opening: (ref) => (atHand.has(ref.subject) ? keys.opening(ref) : undefined),
    fetch: async (refs) => {
      atHand.clear();
      return keys.fetch(refs);
    },
  };
  expect(await openTexts(forgetful, fields)).toEqual(['Rain', null, 'Snow', 'Fog', null]);
});
