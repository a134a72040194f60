import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryClient } from './api/queries.ts';
import { Frame } from './frame/frame.tsx';
import { AppRoutes } from './routes.tsx';
import { KitProvider } from './ui/provider.tsx';

const useLiveUpdates = () => {
  useEffect(() => {
    let wanted = true;
    const timer = setTimeout(async () => {
      const { followLive } = await import('./api/live.ts');
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
      <KitProvider>
        <Frame>
          <AppRoutes />
        </Frame>
      </KitProvider>
    </QueryClientProvider>
  );
};
