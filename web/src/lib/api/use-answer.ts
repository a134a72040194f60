import {
  hashKey,
  keepPreviousData,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query';
import { useRef } from 'react';
import type { AnswerOf, Call } from '#domain/contracts/call.ts';
import { type Arguments, call, list } from './client.ts';
import { keyOf } from './key-of.ts';

const withSignal = <C extends Call>(asked: Arguments<C>[0] | null, signal: AbortSignal): Arguments<C> =>
  [{ ...asked, signal }] as Arguments<C>;

/**
 * Keeps a query's error until the next success: TanStack Query clears it on each refetch, so error messages
 * would flicker with every live update and be announced again.
 */
export const useLastingFailure = <
  Result extends Pick<UseQueryResult, 'data' | 'error' | 'isFetching' | 'isSuccess' | 'isPlaceholderData'>,
>(
  queryKey: QueryKey,
  result: Result,
) => {
  const name = hashKey(queryKey);
  const failed = useRef<{ readonly name: string; readonly error: Error }>(undefined);
  const isAnswered = result.isSuccess && !result.isPlaceholderData;
  if (result.error) failed.current = { name, error: result.error };
  else if (!result.isFetching || isAnswered || failed.current?.name !== name) failed.current = undefined;
  const error = failed.current?.error ?? null;
  // Hide the previous page's placeholder rows as well.
  const data: Result['data'] = error && result.isPlaceholderData ? undefined : result.data;
  return { ...result, data, error, isError: error !== null };
};

export const useLastingQuery = <Data>(options: UseQueryOptions<Data>) =>
  useLastingFailure(options.queryKey, useQuery(options));

/** Fetches a call; refetches whenever a page that uses it is opened. Disabled while the arguments are null. */
export const useAnswer = <C extends Call>(declared: C, ...[asked]: Arguments<C> | [null]) =>
  useLastingQuery({
    queryKey: keyOf(declared, asked),
    queryFn: ({ signal }): Promise<AnswerOf<C>> => call(declared, ...withSignal<C>(asked, signal)),
    refetchOnMount: 'always',
    enabled: asked !== null,
  });

/**
 * Fetches a page of a list. The previous rows stay while the next page loads.
 * @param every refetch interval in milliseconds
 */
export const useList = <C extends Call>(declared: C, asked: Arguments<C>[0], every?: number) =>
  useLastingQuery({
    queryKey: keyOf(declared, asked),
    queryFn: ({ signal }) => list(declared, ...withSignal<C>(asked, signal)),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    refetchInterval: every,
  });
