import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { cameBack } from '#web/lib/api/session.ts';
import { App } from './app.tsx';
import { takeHydratedState } from './hydrate.ts';
import { repeatConsent } from './layout/consent.ts';
import { stopEarly } from './layout/pressed-early.tsx';
import { beginScrollMemory } from './layout/scroll-memory.ts';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root.');
const client = (
  <BrowserRouter>
    <App />
  </BrowserRouter>
);
beginScrollMemory();
repeatConsent();
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) cameBack();
});
// Not awaited: the page chunks import this module, so a top-level await would deadlock.
takeHydratedState()
  .catch(() => false)
  .then((isHydrated) => {
    stopEarly();
    if (isHydrated) hydrateRoot(root, client);
    else createRoot(root).render(client);
  });
