import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';

const app = document.getElementById('app');
if (app)
  createRoot(app).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
