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
import { type Arguments, call, type Listed, list } from './client.ts';
import { keyOf } from './key-of.ts';

type ListOf<C extends Call> = Listed<AnswerOf<C> extends (infer Item)[] ? Item : never>;

const withSignal = <C extends Call>(asked: unknown, signal: AbortSignal): Arguments<C> =>
  [{ ...(asked as object), signal }] as unknown as Arguments<C>;

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

type Options<Read, Shown> = Omit<UseQueryOptions<Read, Error, Shown>, 'queryKey' | 'queryFn'>;
interface Reading<C extends Call, Read> {
  readonly read?: (answer: Promise<AnswerOf<C>>) => Promise<Read>;
}
type WithOptions<C extends Call, More> =
  | [...asked: Arguments<C>, options?: More]
  | [asked: null, options?: More];

const useLastingQuery = <Read, Shown>(
  declared: Call,
  asked: Arguments<Call>[0] | null,
  queryFn: (signal: AbortSignal) => Promise<Read>,
  options: Options<Read, Shown>,
) => {
  const queryKey = keyOf(declared, asked);
  return useLastingFailure(
    queryKey,
    useQuery<Read, Error, Shown>({
      queryKey,
      queryFn: ({ signal }) => queryFn(signal),
      refetchOnMount: 'always',
      enabled: asked !== null,
      ...options,
    }),
  );
};

/**
 * Fetches a call; refetches whenever a page that uses it is opened. Disabled while the arguments are null.
 * @param options those of TanStack Query, and `read`, which makes what is cached from the answer
 */
export const useAnswer = <C extends Call, Read = AnswerOf<C>, Shown = Read>(
  declared: C,
  ...[asked, more]: WithOptions<C, Options<Read, Shown> & Reading<C, Read>>
) => {
  const { read, ...options } = (more ?? {}) as Options<Read, Shown> & Reading<C, Read>;
  return useLastingQuery<Read, Shown>(
    declared,
    asked as Arguments<Call>[0],
    (signal) => {
      const answer = call(declared, ...withSignal<C>(asked, signal));
      return read ? read(answer) : (answer as Promise<never>);
    },
    options as Options<Read, Shown>,
  );
};

/** Fetches a page of a list. The previous rows stay while the next page loads. */
export const useList = <C extends Call>(
  declared: C,
  asked: Arguments<C>[0],
  options: Options<ListOf<C>, ListOf<C>> = {},
) =>
  useLastingQuery<ListOf<C>, ListOf<C>>(
    declared,
    asked as Arguments<Call>[0],
    (signal) => list(declared, ...withSignal<C>(asked, signal)),
    { placeholderData: keepPreviousData as never, ...options },
  );
