import { QueryClientProvider } from '@tanstack/react-query';
import { Fragment, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { queryClient } from './api/queries.ts';
import { Toasts } from './components/toast.tsx';
import { SessionGate } from './features/login/session-gate.tsx';
import { language } from './preferences.ts';
import { createRouter } from './routes/router.tsx';
import { useStore } from './store.ts';
import './styles.css';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id "root".');
const router = createRouter();

/** Components read their texts while they render. The key makes all of them anew in another language. */
function App() {
  return (
    <Fragment key={useStore(language)}>
      <SessionGate>
        <RouterProvider router={router} />
      </SessionGate>
      <Toasts />
    </Fragment>
  );
}

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
