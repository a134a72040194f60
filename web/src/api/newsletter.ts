import { useMutation } from '@tanstack/react-query';
import { newsletterCalls } from '#domain/contracts/newsletter.ts';
import { call } from './client.ts';

/** Subscribes an address to the newsletter. @param source the place on the site where it was typed */
export const useSubscribe = (source: string) =>
  useMutation({
    mutationFn: (email: string) => call(newsletterCalls.subscribe, { body: { email, source } }),
  });

/** Unsubscribes an address that was typed. */
export const useUnsubscribe = () =>
  useMutation({
    mutationFn: (email: string) => call(newsletterCalls.unsubscribe, { body: { email } }),
  });

/** Unsubscribes by the token of the signed link that a newsletter carries. */
export const useUnsubscribeByLink = () =>
  useMutation({
    mutationFn: (token: string) =>
      call(newsletterCalls.unsubscribeByLink, {
        query: { token },
        body: { 'List-Unsubscribe': 'One-Click' },
      }),
  });
