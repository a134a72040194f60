import { notifyManager, QueryClient } from '@tanstack/react-query';

// After a timer, as is its default, a busy browser would handle the next click or key first, as though nothing were being sent yet.
notifyManager.setScheduler(queueMicrotask);

/**
 * Data never goes stale, and nothing is asked again by itself, unless a hook says otherwise (specification, section 9). Without a
 * connection a call fails at once: what waited for one would be sent later, when the person has long thought better of it.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      retry: false,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});
