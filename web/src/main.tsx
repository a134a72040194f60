import { createRoot } from 'react-dom/client';
import { cameBack } from './api/auth.ts';
import { App } from './app.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root.');
createRoot(root).render(<App />);
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) cameBack();
});
