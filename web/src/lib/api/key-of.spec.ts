import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { catalogueCalls } from '#domain/contracts/catalogue.ts';
import { eventKey } from './event.ts';
import { keyOf } from './key-of.ts';

const list = keyOf(catalogueCalls.events, { query: { city: 'leeds' } });
const client = new QueryClient();
for (const queryKey of [list, eventKey(7), eventKey(8)]) client.setQueryData(queryKey, {});
const coveredBy = (queryKey: ReturnType<typeof keyOf>) =>
  client
    .getQueryCache()
    .findAll({ queryKey })
    .map((query) => query.queryKey);

test('a query key without arguments covers the calls below its path', () => {
  expect(coveredBy(keyOf(catalogueCalls.events))).toEqual([list, eventKey(7), eventKey(8)]);
});

test('an update about one event covers the lists and that event, and no other event', () => {
  expect(coveredBy(keyOf(catalogueCalls.events, {}))).toEqual([list]);
  expect(coveredBy(eventKey(7))).toEqual([eventKey(7)]);
});
