import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import type { AnswerOf, Call } from '#domain/contracts/call.ts';
import { type Arguments, call, list } from './client.ts';

/**
 * The key under which a call's answers are kept: its path, part by part, then what it was asked. So the key of a list is also the
 * beginning of the keys of all that lies below it: `/api/admin/refunds` of `/api/admin/refunds/stats`.
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

/** What a call answers, asked anew on each visit. It isn't asked while its arguments are null. */
export const useAnswer = <C extends Call>(declared: C, ...[asked]: Arguments<C> | [null]) =>
  useQuery({
    queryKey: keyOf(declared, asked),
    queryFn: ({ signal }): Promise<AnswerOf<C>> => call(declared, ...withSignal<C>(asked, signal)),
    refetchOnMount: 'always',
    enabled: asked !== null,
  });

/**
 * A page of what a call lists, asked anew on each visit. The one before stays while the next one comes.
 * @param every asks again by itself, after so many milliseconds
 */
export const useList = <C extends Call>(declared: C, asked: Arguments<C>[0], every?: number) =>
  useQuery({
    queryKey: keyOf(declared, asked),
    queryFn: ({ signal }) => list(declared, ...withSignal<C>(asked, signal)),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    refetchInterval: every,
  });
