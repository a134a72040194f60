import { notifyManager, QueryClient } from '@tanstack/react-query';

// The default timer would let a busy browser handle the next click before the pending state shows.
notifyManager.setScheduler(queueMicrotask);

/**
 * Nothing is refetched unless a hook opts in (specification, section 9). Offline calls fail at once: queued
 * changes could be sent long after the user gave up.
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
