/**
 * The inspector: what the sandbox did and does, live, and the levers to move it. A page beside the sandbox: it knows
 * the control routes and the shapes of their answers, nothing of what is behind them.
 */
import { render } from 'preact';
import './inspector.css';
import { App } from './App.tsx';
import { ModelContext } from './context.ts';
import { createModel } from './model.ts';

const root = document.getElementById('inspector');
if (root) {
  const model = createModel();
  render(
    <ModelContext.Provider value={model}>
      <App />
    </ModelContext.Provider>,
    root,
  );
  model.start();
}
