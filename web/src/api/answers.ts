import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import type { AnswerOf, Call } from '#domain/contracts/call.ts';
import { type Arguments, call, list } from './client.ts';

/**
 * The query key of a call's answers: the parts of its path, then what it was asked. To invalidate `/api/admin/refunds` is
 * therefore to invalidate `/api/admin/refunds/stats` too.
 */
export const keyOf = (
  { path }: Call,
  asked?: { readonly params?: unknown; readonly query?: unknown } | null,
): QueryKey => [
  ...path.split('/').slice(1),
  ...(asked ? [{ params: asked.params, query: asked.query }] : []),
];

const withSignal = <C extends Call>(asked: Arguments<C>[0] | null, signal: AbortSignal): Arguments<C> =>
  [{ ...asked, signal }] as Arguments<C>;

/** Fetches a call, again each time a page that uses it is opened. Waits while the arguments are null. */
export const useAnswer = <C extends Call>(declared: C, ...[asked]: Arguments<C> | [null]) =>
  useQuery({
    queryKey: keyOf(declared, asked),
    queryFn: ({ signal }): Promise<AnswerOf<C>> => call(declared, ...withSignal<C>(asked, signal)),
    refetchOnMount: 'always',
    enabled: asked !== null,
  });

/**
 * Fetches a page of a list, again each time a page that uses it is opened. The rows before stay while the next ones load.
 * @param every refetches at this interval, in milliseconds
 */
export const useList = <C extends Call>(declared: C, asked: Arguments<C>[0], every?: number) =>
  useQuery({
    queryKey: keyOf(declared, asked),
    queryFn: ({ signal }) => list(declared, ...withSignal<C>(asked, signal)),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    refetchInterval: every,
  });
