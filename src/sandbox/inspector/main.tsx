/**
 * The inspector: a live view of the sandbox, and controls for it. A page of its own that uses the control routes alone;
 * from the sandbox's code it imports nothing but types.
 */
import { render } from 'preact';
import './inspector.css';
import { App } from './App.tsx';
import { ModelContext } from './context.ts';
import { takeTokenFromAddress } from './control-token.ts';
import { createModel } from './model.ts';

const root = document.getElementById('inspector');
if (root) {
  takeTokenFromAddress();
  const model = createModel();
  render(
    <ModelContext.Provider value={model}>
      <App />
    </ModelContext.Provider>,
    root,
  );
  model.start();
}
