import { QueryClient } from '@tanstack/react-query';

/** Data never goes stale, and nothing is asked again by itself, unless a hook says otherwise (specification, section 9). */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      retry: false,
    },
    mutations: { retry: false },
  },
});
