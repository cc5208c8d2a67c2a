/**
 * The playground: the real form beside controls for its options, and the code for what is on the screen. A page of its
 * own; a sandbox serves it, and anybody can host its files (docs/hosting.md).
 */
import { render } from 'preact';
import { takeTokenFromAddress } from '../sandbox/inspector/control-token.ts';
import './playground.css';
import { App } from './App.tsx';
import { ModelContext } from './context.ts';
import { createModel } from './model.ts';
import { readSite } from './site.ts';

const root = document.getElementById('playground');
if (root) {
  takeTokenFromAddress();
  const model = createModel(readSite(root.dataset, new URL(location.href)));
  render(
    <ModelContext.Provider value={model}>
      <App />
    </ModelContext.Provider>,
    root,
  );
  void model.start();
}
