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
 * A query whose failure stands until its next answer has come. The query itself forgets it as soon as it is asked for anew: what says so
 * would go and come back with each piece of live news, under the finger of whoever presses its button, and be read aloud each time.
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
  // Nor do the rows of the page before show again meanwhile.
  const data: Result['data'] = error && result.isPlaceholderData ? undefined : result.data;
  return { ...result, data, error, isError: error !== null };
};

/** `useQuery` with a failure that lasts. */
export const useLastingQuery = <Data>(options: UseQueryOptions<Data>) =>
  useLastingFailure(options.queryKey, useQuery(options));

/** Fetches a call, again each time a page that uses it is opened. Waits while the arguments are null. */
export const useAnswer = <C extends Call>(declared: C, ...[asked]: Arguments<C> | [null]) =>
  useLastingQuery({
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
  useLastingQuery({
    queryKey: keyOf(declared, asked),
    queryFn: ({ signal }) => list(declared, ...withSignal<C>(asked, signal)),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    refetchInterval: every,
  });
