import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryClient } from './api/queries.ts';
import { Frame } from './frame/frame.tsx';
import { AppRoutes } from './routes.tsx';
import { KitProvider } from './ui/provider.tsx';

/** Follows live updates, from a second after the page has loaded. */
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

/** The whole client, inside the router that knows its address. */
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
