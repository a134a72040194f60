import { catalogueCalls } from '#domain/contracts/catalogue.ts';
import { ApiError, failureOf } from '#web/lib/failure.ts';
import { keyOf } from './key-of.ts';
import { useAnswer } from './use-answer.ts';

export const isNoEvent = (error: unknown): boolean =>
  error instanceof ApiError && [400, 404].includes(error.status) && failureOf(error) === 'refused';

export const useEvent = (id: string | number) =>
  useAnswer(catalogueCalls.event, { params: { id: `${id}` } }, { enabled: /^\d+$/.test(String(id)) });

/** The id is text, as in the page's address. */
export const eventKey = (id: number) => keyOf(catalogueCalls.event, { params: { id: `${id}` } });
