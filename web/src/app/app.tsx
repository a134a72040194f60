import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryClient } from '#web/lib/api/query-client.ts';
import { UiProvider } from '#web/ui/provider.tsx';
import { Layout } from './layout/layout.tsx';
import { AppRoutes } from './routes.tsx';

const useLiveUpdates = () => {
  useEffect(() => {
    let wanted = true;
    const timer = setTimeout(async () => {
      const { followLive } = await import('#web/lib/api/live.ts');
      if (wanted) followLive();
    }, 1_000);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, []);
};

export const App = () => {
  useLiveUpdates();
  return (
    <QueryClientProvider client={queryClient}>
      <UiProvider>
        <Layout>
          <AppRoutes />
        </Layout>
      </UiProvider>
    </QueryClientProvider>
  );
};
