import { useMutation } from '@tanstack/react-query';
import { newsletterCalls } from '#domain/contracts/newsletter.ts';
import { call } from '#web/lib/api/client.ts';

export const useSubscribe = (source: string) =>
  useMutation({
    mutationFn: (email: string) => call(newsletterCalls.subscribe, { body: { email, source } }),
  });

export const useUnsubscribe = () =>
  useMutation({
    mutationFn: (email: string) => call(newsletterCalls.unsubscribe, { body: { email } }),
  });

export const useUnsubscribeByLink = () =>
  useMutation({
    mutationFn: (token: string) =>
      call(newsletterCalls.unsubscribeByLink, {
        query: { token },
        body: { 'List-Unsubscribe': 'One-Click' },
      }),
  });
